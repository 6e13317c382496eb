import { Api } from './api';

export const PLACES = 3;

export class Stock extends Api {
  protected base() {
    return 'http://stock:9000/stock';
  }
}

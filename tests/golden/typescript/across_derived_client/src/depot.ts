import { Axios } from 'axios';

export class Depot extends Axios {
  crates() {
    return this.get('/crates');
  }
}

import { Api } from './api';

export class Users extends Api {
  protected base() {
    return 'http://users:8080/users';
  }
}

import { Api } from './api';
export class Users {
  constructor(private api: Api) {}
  all() {
    const call = this.api.send;
    call('POST', '/users/enable');
    this.api.send('DELETE', '/users/1');
    return call('GET', '/users');
  }
}

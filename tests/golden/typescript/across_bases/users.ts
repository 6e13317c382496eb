import { Client } from './client';
export class Users {
  constructor(private client: Client) {}
  all() {
    return this.client.send('users');
  }
}

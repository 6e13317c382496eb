import { User, users, create as make } from '../models';
import type { Named } from '../models';
import axios from 'axios';

export class Client {
  private cache = new Map<string, User>();

  load(id: number): Promise<User> {
    return axios.get('/users/' + id);
  }

  async show(id: number, named: Named) {
    const user = await this.load(id);
    user.label();
    named.label();
    User.of(1).label();
    users.create(2).label();
    make(3).friend?.label();
    this.cache.get('x')?.label();
  }
}

export function run(client: Client, ids: number[]) {
  ids.forEach((id) => client.show(id, make(id)));
  ids.map(make);
}

import { Requester } from './requester';

export class Orders extends Requester {
  get(id: string) {
    return super.get('/orders/' + id);
  }

  list() {
    return super.get('/orders');
  }
}

export class Users extends Requester {
  create() {
    return this.post('/users');
  }

  one(id: string) {
    return this.get('/users/' + id);
  }
}

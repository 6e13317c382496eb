import { BaseApi } from './base';

export class UsersApi extends BaseApi {
  protected readonly resource = 'users';

  constructor() {
    super('http://users');
  }

  one(id: string) {
    return this.fetch(`/users/${id}`);
  }
}

export class OrdersApi extends BaseApi {
  protected readonly resource = 'orders';

  constructor() {
    super('http://orders');
  }

  one(id: string) {
    return this.fetch(`/orders/${id}`);
  }
}

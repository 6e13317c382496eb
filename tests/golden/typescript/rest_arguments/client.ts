export class Orders {
  constructor(private base: string) {}

  private request(method: string, ...parts: string[]) {
    return fetch(this.base + '/v1/' + parts.join('/'), { method });
  }

  all() {
    return this.request('GET', 'orders');
  }

  cancel(id: string) {
    return this.request('POST', 'orders', id, 'cancel');
  }
}

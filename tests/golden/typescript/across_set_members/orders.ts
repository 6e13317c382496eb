import { Client } from './client'

export class Orders {
  constructor(private client: Client) {}

  all() {
    return this.client.get({ path: 'orders' })
  }

  create(body: unknown) {
    return this.client.post({ path: 'orders', body })
  }
}

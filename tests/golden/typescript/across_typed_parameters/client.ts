export class Client {
  constructor(private base: string) {}

  address(path: string) {
    return `${this.base}/api/v1/${path}`
  }

  request(method: string, path: string) {
    return fetch(this.address(path), { method })
  }
}

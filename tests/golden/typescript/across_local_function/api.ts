export class Api {
  constructor(private base: string) {}
  send(method: string, path: string) {
    return fetch(this.base + path, { method });
  }
}

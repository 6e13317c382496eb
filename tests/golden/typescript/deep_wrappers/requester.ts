export class Requester {
  constructor(private base: string) {}

  private send(method: string, url: string) {
    return fetch(url, { method });
  }

  private build(path: string, method: string) {
    return this.send(method, this.base + path);
  }

  private execute(method: string, path: string) {
    return this.build(path, method);
  }

  private retry(method: string, path: string) {
    return this.execute(method, path);
  }

  private traced(method: string, path: string) {
    return this.retry(method, path);
  }

  get(path: string) {
    return this.traced('GET', path);
  }

  post(path: string) {
    return this.traced('POST', path);
  }
}

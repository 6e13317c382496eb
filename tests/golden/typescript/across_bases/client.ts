import url from 'url';
export class Client {
  private base: string;
  constructor(private host: string, base = '/api') {
    this.base = base;
    if (!this.base.endsWith('/')) this.base += '/';
  }
  send(path: string) {
    return fetch(`http://${this.host}${this.base}${path}`);
  }
  parts() {
    return fetch(url.format({ protocol: 'http', hostname: this.host, pathname: '/parts' }));
  }
}
export function rooted(base: string) {
  const root = base.endsWith('/') ? base : `${base}/`;
  return fetch(root + 'rooted/users');
}

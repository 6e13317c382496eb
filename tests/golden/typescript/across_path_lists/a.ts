class Base {
  constructor(protected root: string) {}
  protected async request(method: string, path: string[], body?: any) {
    return fetch(this.root + '/' + path.join('/'), { method, body });
  }
  one(id: string) { return this.request('GET', ['things', id]); }
  add(x: any) { return this.request('POST', ['things'], x); }
}
class B2 {
  constructor(private root: string) {}
  protected async request(method: string, path: string[], body?: any) {
    return fetch(this.root + '/' + ['api', ...path].join('/'), { method, body });
  }
  one(id: string) { return this.request('GET', ['things', id]); }
}
class B3 {
  constructor(private root: string) {}
  protected async request(method: string, ...path: string[]) {
    return fetch(`${this.root}/${path.join('/')}`, { method });
  }
  one(id: string) { return this.request('GET', 'things', id); }
}

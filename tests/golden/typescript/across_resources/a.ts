class C2 {
  get(p: string) { return fetch('/base' + p); }
}
abstract class Resource {
  constructor(protected client: C2) {}
  protected abstract path: string;
  list() { return this.client.get(this.path); }
  one(id: string) { return this.client.get(`${this.path}/${id}`); }
}
class Cars extends Resource { protected path = '/cars'; }
class Boats extends Resource { protected path = '/boats'; }
abstract class R2 {
  constructor(protected client: C2) {}
  protected abstract getPath(): string;
  list() { return this.client.get(this.getPath()); }
}
class Cars2 extends R2 { protected getPath() { return '/cars2'; } }
class R3 {
  constructor(protected client: C2, protected path: string) {}
  list() { return this.client.get(this.path); }
}
class Cars3 extends R3 { constructor(c: C2) { super(c, '/cars3'); } }
class Boats3 extends R3 { constructor(c: C2) { super(c, '/boats3'); } }

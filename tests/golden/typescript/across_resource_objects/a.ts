class C2 { get(p: string) { return fetch('/base' + p); } del(p: string) { return fetch('/base' + p, { method: 'DELETE' }); } }
class Res<T> {
  constructor(private client: C2, private path: string) {}
  list() { return this.client.get(this.path); }
  one(id: string) { return this.client.get(`${this.path}/${id}`); }
}
class Root {
  client = new C2();
  cars = new Res(this.client, '/cars');
  boats = new Res(this.client, '/boats');
}
class Deep extends Res<string> { drop() { return (this as any).client.del('/deep'); } }

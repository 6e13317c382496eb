export class Quays {
  #send = fetch.bind(globalThis);
  private ask: typeof fetch;

  constructor(options: { fetch?: typeof fetch }) {
    this.ask = options.fetch ?? fetch;
  }

  list() {
    return this.ask('/api/quays');
  }

  remove(id: string) {
    return this.#send(`/api/quays/${id}`, { method: 'DELETE' });
  }
}

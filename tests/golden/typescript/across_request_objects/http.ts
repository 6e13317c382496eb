export class Http {
  #root: URL;

  constructor(config: Config) {
    this.#root = new URL(config.host);
  }

  #prepare({ path, method, params }: Call): { url: URL; init: RequestInit } {
    const url = new URL(path, this.#root);
    const init: RequestInit = { method, ...this.#defaults };
    return { url, init };
  }

  async #send<T>(call: Call): Promise<T> {
    const { url, init } = this.#prepare(call);
    return (await fetch(url, init)).json();
  }

  get<T>(call: Call): Promise<T> {
    return this.#send<T>(call);
  }

  put<T>(call: Call): Promise<T> {
    return this.#send<T>({ ...call, method: 'PUT' });
  }
}

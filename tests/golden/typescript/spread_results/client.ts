interface HttpClient { jsonRequest<T>(url: string, options?: any): Promise<T>; }
export class FetchHttpClient implements HttpClient {
  async jsonRequest<T>(url: string, options?: any): Promise<T> {
    const resp = await fetch(url, options);
    return await resp.json() as T;
  }
}
export class Api {
  constructor(private readonly http: HttpClient, private base: string) {}
  list() { return this.#perform<any>({ url: '/short-urls' }); }
  create() { return this.#perform<any>({ url: '/short-urls', method: 'POST' }); }
  async #perform<T>(o: any): Promise<T> {
    return this.http.jsonRequest<T>(...this.#params(o));
  }
  #params({ url, method = 'GET' }: any): [string, any] {
    return [`${this.base}/rest${url}`, { method }];
  }
}

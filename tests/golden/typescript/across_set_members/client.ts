interface Options {
  method?: string
  path: string
  body?: unknown
}

export class Client {
  constructor(private base: string) {}

  get(options: Options) {
    options.method = 'GET'
    return this.send(options)
  }

  post(options: Options) {
    options.method = 'POST'
    return this.send(options)
  }

  send(options: Options) {
    return fetch(`${this.base}/api/${options.path}`, { method: options.method })
  }
}

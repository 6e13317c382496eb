const withJson = (options) => {
  if (!options || !options.body) {
    return options;
  }
  return { ...options, headers: { 'Content-Type': 'application/json' } };
};

export class Orders {
  constructor(base) {
    this.base = base;
  }

  send(url, options) {
    return fetch(url, withJson(options));
  }

  params({ path, method = 'GET' }) {
    return [`${this.base}/api${path}`, { method }];
  }

  perform(o) {
    return this.send(...this.params(o));
  }

  list() {
    return this.perform({ path: '/orders' });
  }

  create(body) {
    return this.perform({ path: '/orders', method: 'POST', body });
  }
}

class Client {
  constructor(o) { this.baseUrl = '/api/v1'; this.plans = new Plans(this); }
  get root() { return '/api/v2'; }
  url(p) { return `/api/v3${p}`; }
}
class Plans {
  constructor(client) { this.client = client; }
  list() { return fetch(`${this.client.baseUrl}/plans`); }
  two() { return fetch(`${this.client.root}/plans`); }
  three() { return fetch(this.client.url('/plans')); }
}

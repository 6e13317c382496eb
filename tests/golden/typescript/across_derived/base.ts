import axios from 'axios';

export abstract class BaseApi {
  protected abstract readonly resource: string;

  constructor(protected readonly baseUrl: string) {}

  list() {
    return axios.get(`${this.baseUrl}/${this.resource}`);
  }

  protected fetch(path: string) {
    return axios.get(this.baseUrl + path);
  }
}

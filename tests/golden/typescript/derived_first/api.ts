import axios from 'axios';

export abstract class Api {
  protected abstract base(): string;

  list() {
    return axios.get(this.base() + '/items');
  }
}

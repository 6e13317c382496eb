import axios from 'axios';
import { apiAxios } from './client';

axios.defaults.baseURL = 'http://gateway/api';
const users = axios.create({ baseURL: process.env.USERS || 'http://users', timeout: 100 });
const settings = { baseURL: 'http://orders/v1' };

export default {
  async load(id) {
    await axios.get('/things');
    await users.get('/users/' + id);
    await users({ url: `/users/${id}`, method: 'delete' });
    await apiAxios.post('/given', {});
    await axios('/plain', { method: 'PUT' });
    await axios({ ...settings, method: 'post', url: '/orders' });
    await this.$http.get('/component');
    await this.$axios.$post('/nuxt', {});
    const config = { method: 'patch', url: `/later/${id}` };
    await axios(config);
    $http({ method: 'GET', url: '/angularjs' });
  },
  nothing() {
    users.interceptors.request.use((config) => config);
    new MockAdapter(axios).onGet('/nothing').reply(200);
    this.cache.get('/nothing');
    users.defaults.headers.get('/nothing');
    _.get(users, '/nothing');
  },
};
class Api {
  client = axios.create({ baseURL: 'http://fields' });
  constructor() { this.http = axios.create({ baseURL: '/assigned' }); }
  get(id) { this.http.put('/x'); return this.client.get('/y/' + id); }
}

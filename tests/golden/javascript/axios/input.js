import axios from 'axios';

const api = axios.create({ timeout: 1000, baseURL: 'http://orders:9000/api/' });
const map = new Map();

function all(id) {
  axios.get('http://users/users/' + id);
  api.post('/orders', { id });
  api.delete(`orders/${id}`);
  axios({ method: 'put', url: '/things' });
  axios.request({ url: '/things/' + id, method: 'PATCH', data: {} });
  axios('/plain');
  map.get('/nothing');
  map.delete('/nothing');
  response.headers.get('/nothing');
}

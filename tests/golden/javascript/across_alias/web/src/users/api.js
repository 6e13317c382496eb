import API from '@/api';
const resource = 'users';
export default {
  getAll() { return API.get(`/${resource}`); },
  get(id) { return API.get(`/${resource}/${id}`); },
};

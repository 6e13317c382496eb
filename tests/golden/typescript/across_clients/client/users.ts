import http, { api, request } from './http';
export const list = () => http.get('/users');
export const one = (id: string) => api.get(`/users/${id}`);
export const add = (b) => api.post('/users', b);
export const remove = (id) => request('DELETE', `/users/${id}`);

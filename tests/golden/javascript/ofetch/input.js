import { ofetch } from 'ofetch';

const api = ofetch.create({ baseURL: 'http://users/api', retry: 1 });

export const list = () => api('/users');
export const add = (body) => api('/users', { method: 'POST', body });

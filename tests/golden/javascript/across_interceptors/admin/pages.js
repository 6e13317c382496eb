import { http, users } from './http';

export const load = (id) => http.get(`/orders/${id}`);
export const rename = (id, name) => users.patch('/users/' + id, { name });
export const far = () => http.get('https://rates.example.org/today');

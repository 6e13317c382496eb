import { request, fetch as ufetch, Pool, Client } from 'undici';
import undici from 'undici';
const pool = new Pool('http://stock:4000');
export const a = () => request('http://stock:4000/items');
export const b = (id) => request(`http://stock:4000/items/${id}`, { method: 'DELETE' });
export const c = () => pool.request({ path: '/items', method: 'POST' });
export const d = () => undici.request('http://stock:4000/all');
export const e = () => ufetch('http://stock:4000/f');

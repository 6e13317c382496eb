import { search, things, plain, umi } from './api';

export const find = () => search.get('docs/_search');
export const one = (id) => things(`/things/${id}`, { method: 'PUT' });
export const raw = () => plain.raw('/raw');
export const all = () => umi('/all', { method: 'POST' });

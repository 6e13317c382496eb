import send from './util/send';
import load from './util/load';

export const remove = (id) => send(`/api/parcels/${id}`, { method: 'DELETE' });
export const all = (query) => send(`/api/parcels?${query}`);
export const labels = () => load('labels');

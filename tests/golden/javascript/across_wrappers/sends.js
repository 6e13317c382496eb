import { send, quiet } from './send';

export const vote = (id) => send(`/votes/${id}`, { method: 'post' });
export const votes = () => send('/votes');
export const mute = (id) => quiet('/' + id, { method: 'PUT' });

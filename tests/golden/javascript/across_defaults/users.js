import Service from './service';
export const all = () => Service.get('users');
export const one = (id) => Service.get('users', id);
export const fixed = () => Service.get('users', 'me');
export const add = () => Service.send('/api/users');
export const put = () => Service.send('/api/users', 'PUT');

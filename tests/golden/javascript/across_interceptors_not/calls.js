import { http } from './http';

export const users = () => http.get('/users');
export const more = () => emitter.get('/users');

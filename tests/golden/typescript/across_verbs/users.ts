import http from './http';

const users = '/api/users';

export const all = () => http.get(users);

export const add = (name: string) => http.post(users, name);

export const remove = (id: string) => http.drop(`${users}/${id}`);

import axios from 'axios';

const BASE = '/api';
const client = axios.create({ baseURL: 'http://catalogue:8080' });

export function request(method, path, data) {
	return fetch(BASE + path, { method, body: data });
}
export const get = (path) => request('GET', path);
export function send({ method, url }) {
	return axios({ method, url });
}
export default client;
export function item(id) {
	return client.get('/items/' + id);
}

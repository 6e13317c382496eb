import client, { get, item, request, send } from './http';

export function one(id) {
	return get('/users/' + id);
}
export function two() {
	return request('POST', '/users', {});
}
export function three(id) {
	return send({ method: 'PUT', url: `/orders/${id}` });
}
export function four() {
	return client.delete('/tags');
}
export function five() {
	return item(5);
}
export function six(key) {
	return new Map().get(key);
}

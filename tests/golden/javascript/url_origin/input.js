const config = window.config || {};
const base = config.base || '/';
export const one = (id) => fetch(new URL('/users/' + id, location.origin));
export const two = () => fetch(new URL(`${base}teams`, window.location.origin), { method: 'POST' });
export const three = () => fetch(new URL('carts', 'http://carts/v1/'));
export const four = () => fetch(new URL('/carts', 'http://carts/'));

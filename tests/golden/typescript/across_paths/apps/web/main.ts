import { users, BASE } from '@shop/http';

export function loadUsers() {
  return users.get('/users');
}

export function loadCarts() {
  return fetch(`${BASE}/carts`);
}

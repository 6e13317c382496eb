const BASE = process.env.USERS || 'http://users:8080';
export function load(id, all, page) {
  fetch(`${BASE}/users/${id}/orders${all ? `?page=${page}` : ''}`);
  fetch(`${BASE}/users/${`${id}`}/cart`);
  fetch(`${BASE}/users/${ids.map((i) => `${i}`).join(',')}/names`, { method: 'POST' });
  fetch('https://api.stripe.com/v1/charges', { method: 'POST' });
}
// fetch(`/commented/${id}`);
const text = 'fetch(`/said`)';

const BASE = process.env.USERS_URL || 'http://users:8080';
const METHOD = 'PATCH';

export async function loadUser(id) {
  const url = `${BASE}/users/${id}?full=1`;
  const reply = await fetch(url);
  return reply.json();
}

async function others(id, options, method) {
  await fetch('/login', { headers: {}, method: 'POST' });
  await window.fetch('/api/' + encodeURIComponent(id) + '/', { "method": METHOD });
  await fetch(options.base + '/items/' + id + '/parts');
  await fetch(id);
  await fetch(`https://api.example.com/v1`, { method });
  await fetch(`${BASE}${id}`);
  prefetch('/nothing');
  store.fetch('/nothing');
  // fetch('/comment')
}

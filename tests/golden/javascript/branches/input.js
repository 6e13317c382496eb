async function load(kind, id) {
  let url;
  if (kind === 'a') { url = `/api/a/${id}`; } else { url = '/api/b'; }
  return fetch(url);
}
async function save(isNew, x) {
  let url = '/api/items';
  let method = 'POST';
  if (!isNew) { url = `/api/items/${x.id}`; method = 'PUT'; }
  return fetch(url, { method, body: JSON.stringify(x) });
}
async function tern(isNew, x) {
  return fetch(isNew ? '/api/t' : `/api/t/${x.id}`, { method: isNew ? 'POST' : 'PUT' });
}
async function wrapper(url, opts) { return fetch(url, opts); }
function callers() { wrapper('/api/w1'); wrapper('/api/w2', { method: 'DELETE' }); }
async function sw(kind) { let p; switch (kind) { case 1: p = '/api/s1'; break; default: p = '/api/s2'; } return fetch(p); }

const API = { users: { list: '/api/users', one: '/api/users/:id' } };
const HOST = process.env.HOST || 'http://users';
function f(id, all, base = '/based') {
  fetch(API.users.one.replace(':id', id));
  fetch(new URL('/x/' + id, HOST));
  fetch(new URL('/x/' + id, HOST).toString());
  fetch(all ? '/all' : `/some/${id}`, {method: 'PUT'});
  const u = all ? '/all2' : '/some2';
  fetch(u);
  fetch(path.join(base, 'a', id));
  fetch(url.resolve(HOST, '/y'));
  fetch('/a/'.concat(id));
  fetch(`${API.users.list}?q=${encodeURIComponent(id)}`);
  fetch(`/items/${id}/` + (all ? 'a' : 'b') + qs.stringify({}));
}
fetch(window.location.protocol + '//' + window.location.host + '/login');
fetch(`${scheme}://${host}/x`);

const json = { headers: { Accept: 'application/json' } };
const post = { ...json, method: 'POST' };

async function all(id, body, given) {
  const options = { method: 'PUT', body };
  await fetch('/named/' + id, options);
  await fetch('/spread', { ...post, body });
  await fetch('/merged', Object.assign({}, post, { method: 'DELETE' }));
  await fetch('/plain', json);
  await fetch('/given', given);
  await fetch(new Request(`/request/${id}`, { method: 'PATCH' }));
  const request = new Request('/made', post);
  await $fetch('/nuxt', { method: 'post', body });
  const { data } = await useFetch(() => `/users/${id}`);
  store.useFetch('/nothing');
  cache.fetch('/nothing', post);
}

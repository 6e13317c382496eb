function remove(path) {
  return fetch('/across/items/' + path, { method: 'DELETE' });
}

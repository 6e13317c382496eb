export function send(method, path, body) {
  const xhr = new XMLHttpRequest();
  xhr.open(method, '/page' + path);
  xhr.send(body);
}

export function read(id) {
  const xhr = new XMLHttpRequest();
  xhr.open('GET', `/page/items/${id}`, true);
  xhr.send();
}

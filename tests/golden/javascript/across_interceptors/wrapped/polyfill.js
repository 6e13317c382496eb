const API = 'http://backend:8000';
const original = window.fetch;

window.fetch = (url, options) => originalFetch(`${API}${url}`, options);

function originalFetch(...given) {
  return original(...given);
}

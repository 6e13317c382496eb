function build(path: string, init: any): [string, any] { return [`http://parcels/api${path}`, init]; }
async function send(method: string, path: string) {
  const [url, init] = build(path, { method });
  return fetch(url, init);
}
async function get(path: string) {
  const { url } = make(path);
  return fetch(url);
}
function make(path: string) { return { url: 'http://parcels/api' + path, n: 1 }; }
export const list = () => send('POST', '/parcels');
export const one = (id: string) => get(`/parcels/${id}`);
function pair(path: string) { return [{ n: 1 }, 'http://boxes' + path]; }
export function second(path: string) {
  const [, url] = pair(path);
  const [first] = pair(path);
  fetch(first);
  return fetch(url);
}
export const boxes = () => second('/boxes');

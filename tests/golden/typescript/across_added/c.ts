const base = 'http://p';
function call(path: string, query?: string) {
  path += '/v2';
  if (query) { path += '?' + query; }
  return fetch(base + path);
}
export const a = () => call('/a');
export const b = () => call('/b', 'x=1');

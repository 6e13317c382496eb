export async function req(path, options = {}) {
  return fetch('/v9' + path, { ...options, headers: {} });
}
export async function raw(path, options) { return fetch('/v8' + path, options); }
export const a = () => req('/a');
export const b = () => req('/b', { method: 'POST' });
export const c = () => raw('/c');
export const d = (o) => raw('/d', o);
const init = { method: 'PATCH' };
export const e = () => raw('/e', init);
export const f = () => fetch('/f', getOptions());
export const g = () => fetch('/g', { signal });
export const h = (signal) => fetch('/h', signal ? { signal } : undefined);

const base = process.env.DEPOT_URL;

export function path(id) {
  const url = new URL(base);
  url.pathname += '/crates/' + id;
  return fetch(url);
}

export function list(id) {
  const parts = [base, 'pallets'];
  parts.push(id, 'items');
  return fetch(parts.join('/'));
}

export function sum(id) {
  let url = base + '/trucks';
  url += '/' + id;
  if (id) url += '?full=1';
  return fetch(url);
}

export function checked(id) {
  const url = id ? `${base}/yards/${id}` : Promise.reject(new Error('no id'));
  return fetch(url);
}

export function pages() {
  let page = 1;
  page += 1;
  return fetch(`${base}/pages/${page}`);
}

export const send = (path, params) => {
  params = params || {};
  params.headers = { 'X-Token': token() };
  return fetch('/sent' + path, params);
};

export function quiet(path, options) {
  const given = options ?? {};
  return fetch('/quiet' + path, given);
}

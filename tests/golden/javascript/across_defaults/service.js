const Service = {
  get(resource, slug = '') { return fetch(`/api/${resource}/${slug}`); },
  send(url, method = 'POST') { return fetch(url, { method }); },
};
export default Service;

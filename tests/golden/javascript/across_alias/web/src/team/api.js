import API from '~/api';
export const rename = (id, name) => API.put('/teams/' + id, { name });

const ApiService = { post(resource, params) { return fetch(`${resource}`, params); } };
export default ApiService;

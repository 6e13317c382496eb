import axios from 'axios';
import { emitter } from './emitter';

export const http = axios.create({ baseURL: '/api' });

// what only reads, or sets something else, sends nothing elsewhere
http.interceptors.request.use((config) => {
  config.headers.Authorization = token();
  log('http://log' + config.url);
  return config;
});
http.interceptors.response.use((response) => {
  response.config.url = '/elsewhere' + response.config.url;
  return response;
});
http.interceptors.request.use((config) => {
  const audit = { url: '' };
  audit.url = '/audit' + config.url;
  return config;
});
// a page's own links
emitter.interceptors.request.use((config) => {
  config.baseURL = 'http://emitter';
  return config;
});
function nobody(config) {
  config.baseURL = 'http://nobody';
  return { ...config, url: '/nobody' + config.url };
}

import axios from 'axios';
axios.defaults.headers.get('/x');
axios.interceptors.request.use((config) => config);
const map = new Map();
map.get('/axios');
axios.isCancel('/y');
export const source = axios.CancelToken.source();
localStorage.get('/z');

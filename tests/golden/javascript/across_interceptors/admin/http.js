import axios from 'axios';
import { versioned } from './versioned';

export const http = axios.create({ baseURL: 'http://orders:8080/api' });
export const users = axios.create({ timeout: 1000 });

http.interceptors.request.use(versioned, (error) => Promise.reject(error));

users.interceptors.request.use((config) => {
  config.headers['X-Trace'] = trace();
  if (!config.baseURL) {
    config.baseURL = 'http://users:9090';
  }
  return config;
});

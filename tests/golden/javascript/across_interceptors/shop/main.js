import axios from 'axios';

axios.defaults.baseURL = 'http://shop:3000';
axios.interceptors.request.use((config) => {
  config.url = '/store' + config.url;
  return config;
});

import client from './client';

export function setUp(store) {
  client.interceptors.request.use((config) => {
    config.url = 'http://stock:7000' + config.url;
    return config;
  });
}

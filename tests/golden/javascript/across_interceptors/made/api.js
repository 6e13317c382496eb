import got from 'got';
import { ofetch } from 'ofetch';
import { extend } from 'umi-request';

export const search = got.extend({
  hooks: {
    init: [
      (options) => {
        options.prefixUrl = 'http://search:9200';
      },
    ],
  },
});
export const things = ofetch.create({
  onRequest({ options }) {
    options.baseURL = 'http://things/api';
  },
});
export const plain = ofetch.create({ baseURL: '/plain' });
export const umi = extend({ prefix: '/umi', timeout: 100 });

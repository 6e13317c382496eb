import got from 'got';
import ky from 'ky';
import { request } from 'undici';
import fetch from 'node-fetch';

const users = got.extend({ prefixUrl: 'http://users/api' });
const orders = ky.create({ prefixUrl: 'http://orders' });

async function all(id) {
  await got('http://plain/x', { method: 'POST' });
  await got({ url: 'http://plain/y', method: 'PUT' });
  await users.get(`users/${id}`).json();
  await orders.delete('orders/' + id);
  await request(`http://undici/${id}/x`, { method: 'PATCH' });
  await fetch('http://node/fetch');
  await got.stream.pipeline('/nothing');
  users.defaults.get('/nothing');
}

import got from 'got';
import { ORDERS } from './where';

export const client = got.extend({ prefixUrl: ORDERS });

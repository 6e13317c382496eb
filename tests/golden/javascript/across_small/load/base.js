export const BASE = __ENV.BASE || 'http://shop:8080';

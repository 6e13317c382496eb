import ky from 'ky';
export const api = ky.create({ prefixUrl: 'https://shop.example.com/api' });
export default ky.extend({ prefixUrl: '/api/v2' });

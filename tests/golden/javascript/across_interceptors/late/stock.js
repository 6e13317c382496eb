import client from './client';

export const stock = () => client.get('/stock');

import { client } from './client';

export const list = async () => await client.get<Order[]>('orders').json();
export const drop = (id: string) => client.delete(`orders/${id}`);

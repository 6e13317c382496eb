import createClient from 'openapi-fetch';

const client = createClient<paths>({ baseUrl: 'http://shop/api' });

export const one = (id: string) => client.GET('/items/{id}', { params: { path: { id } } });
export const add = (body: Item) => client.POST('/items', { body });

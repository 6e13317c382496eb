import createClient from "openapi-fetch";
import { client } from './client';
export const lid = (id: string) => client.GET('/lids/{id}', { params: { path: { id } } });
export async function addLid(body: unknown) { const { data } = await client.POST('/lids', { body }); return data; }
export class Api {
  private readonly http = createClient<paths>({ baseUrl: '/own' });
  caps() { return this.http.DELETE('/caps'); }
}

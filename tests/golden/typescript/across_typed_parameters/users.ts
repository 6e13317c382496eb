import { Client } from './client'

function fetchUsers(client: Client) {
  return client.request('GET', 'users')
}

export function run(base: string) {
  return fetchUsers(new Client(base))
}

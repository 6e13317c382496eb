import { start } from '#/start';

export function loadUsers(url: string) {
  start();
  return fetch(url + '/users');
}

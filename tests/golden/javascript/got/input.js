import got from "got";

export async function loadUser(id) {
  return got(`/api/users/${id}`);
}

export function removeUser(id) {
  return got.delete(`/api/users/${id}`);
}

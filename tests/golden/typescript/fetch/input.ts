type User = { id: string };

export async function one(id: string): Promise<User> {
  const response = await fetch(`/api/users/${id}`);
  return (await response.json()) as User;
}

export const add = (user: User) =>
  fetch('/api/users', { method: 'POST', body: JSON.stringify(user) } satisfies RequestInit);

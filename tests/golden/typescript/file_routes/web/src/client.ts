export const one = (id: string) => fetch(`/api/users/${id}`, { method: 'DELETE' });

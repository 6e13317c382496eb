export const items = () => fetch('/items');
export const drop = (id) => fetch('/items/' + id, { method: 'DELETE' });

export const Names = { events: 'events', created: 'orders.created', votes: 'votes', topic: 'payments' } as const;

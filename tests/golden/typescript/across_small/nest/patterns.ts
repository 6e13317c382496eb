export const PATTERNS = { placed: 'order_placed', find: 'order_find' };

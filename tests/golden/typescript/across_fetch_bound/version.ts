export const VERSION = 'v2';

export const VERSION = 3;

export const PATHS = { session: '/session' };

export const API = 'api/events';

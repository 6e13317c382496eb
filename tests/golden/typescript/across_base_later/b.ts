import http from './http';
export const boats = () => http.get('/boats');

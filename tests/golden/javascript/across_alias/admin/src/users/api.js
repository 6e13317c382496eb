import API from '@/api';
export const users = () => API.get('/users');

import API from '@/missing';
export const nothing = () => API.get('/nothing');

import axios from 'axios';

export const plain = () => axios.get('/plain');

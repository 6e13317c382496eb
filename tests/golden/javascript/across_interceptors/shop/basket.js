import axios from 'axios';

export const basket = () => axios.get('/basket');

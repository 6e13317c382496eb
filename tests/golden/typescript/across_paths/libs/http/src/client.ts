import axios from 'axios';

export const BASE = 'http://carts:8080/v1';

export const users = axios.create({ baseURL: 'http://users:8080/api' });

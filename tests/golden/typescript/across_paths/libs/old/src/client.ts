import axios from 'axios';

export const BASE = 'http://old';

export const users = axios.create({ baseURL: 'http://old' });

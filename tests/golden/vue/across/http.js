import axios from 'axios';

export const BASE = '/vue/api';
export const http = axios.create({ baseURL: BASE });

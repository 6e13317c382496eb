import axios from 'axios';
const http = axios.create({ timeout: 1 });
http.defaults.baseURL = '/api/v4';
export default http;

import axios, { AxiosInstance, AxiosRequestConfig } from 'axios';
const http: AxiosInstance = axios.create({ baseURL: process.env.API_URL || 'http://gateway/api' });
http.interceptors.request.use((config) => config);
export default http;
export class Api {
  constructor(private client = http) {}
  get<T>(url: string) { return this.client.get<T>(url); }
  async post(path: string, body: unknown) { return http.post(path, body); }
}
export const api = new Api();
export async function request<T>(method: string, path: string, options: RequestInit = {}): Promise<T> {
  const response = await fetch(`/svc${path}`, { method, ...options });
  return response.json();
}

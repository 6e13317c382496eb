import { HttpService } from '@nestjs/axios';
import axios, { AxiosInstance, InternalAxiosRequestConfig } from 'axios';

export class Billing {
  private readonly client: AxiosInstance;

  constructor() {
    this.client = axios.create();
    this.client.interceptors.request.use(this.based);
  }

  private based(config: InternalAxiosRequestConfig) {
    config.baseURL = 'http://billing:4000';
    return config;
  }

  async invoice(id: string) {
    return (await this.client.get<Invoice>(`/invoices/${id}`)).data;
  }
}

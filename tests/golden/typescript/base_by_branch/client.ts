import axios from "axios";

export class StockClient {
  private base: string;

  constructor(host: string, legacy: boolean) {
    if (legacy) {
      this.base = `${host}/api/v1`;
    } else {
      this.base = `${host}/api/v2`;
    }
  }

  entries(product: number) {
    return axios.get(`${this.base}/products/${product}/entries`);
  }
}

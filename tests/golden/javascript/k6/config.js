export const BASE = "http://orders/api";

export const ORDERS = 'http://orders:8080/v1';

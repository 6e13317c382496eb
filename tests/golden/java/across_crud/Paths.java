package shop;
interface Paths { String ORDERS = "/api/orders"; }

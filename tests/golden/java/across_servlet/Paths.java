package shop;

interface Paths {
    String ORDERS = "/orders";
}

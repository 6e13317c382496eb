package shop;

interface Urls {
    String ORDERS = "/orders";
}

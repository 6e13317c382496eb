package shop;

class Paths {
    static final String USERS = "/users";
    static final String ORDERS = "/orders";
}

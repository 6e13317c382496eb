package shop;

class Paths {
    static final String USERS = "/users";
}

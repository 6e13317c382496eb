package shop;

class Urls {
    static final String USERS = "http://users:8080";
}

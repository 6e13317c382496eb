package shop;

final class Paths {
    static final String USER = "users/{id}";
}

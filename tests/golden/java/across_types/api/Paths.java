package shop.api;

public final class Paths {
    public static final String ROOT = "/api";
    public static final String ORDERS = ROOT + "/orders";
    public static final String ONE = "/{id}";
}

package shop;

public final class Paths {
    public static final String ROOT = "/carts";
    public static final String ITEMS = ROOT + "/{id}/items";
}

package shop;

public class Urls {
    public static final String USERS = "http://users:8080";
    private String stockUrl = "http://stock";

    public String getStockUrl() { return stockUrl; }
}

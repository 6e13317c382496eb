package load;

class Targets {
    static final String ORDERS = "http://orders:8080";
    static final String ONE = "/orders/#{id}";
}

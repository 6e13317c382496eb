package shop;

import org.springframework.web.client.RestTemplate;

abstract class Template {
    protected final RestTemplate rest = new RestTemplate();

    protected abstract String baseUrl();

    String get(String path) { return rest.getForObject(baseUrl() + path, String.class); }

    String all() { return rest.getForObject(baseUrl() + "/all", String.class); }
}

class StockTemplate extends Template {
    @Override
    protected String baseUrl() { return "http://stock"; }

    String item(long id) { return get("/items/" + id); }
}

class RatesTemplate extends Template {
    @Override
    protected String baseUrl() { return "http://rates"; }

    String euro() { return get("/rates/eur"); }
}

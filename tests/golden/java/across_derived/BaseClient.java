package shop;

import org.springframework.web.client.RestTemplate;

public abstract class BaseClient {
    private final RestTemplate rest;
    private final String baseUrl;

    protected BaseClient(RestTemplate rest, String baseUrl) {
        this.rest = rest;
        this.baseUrl = baseUrl;
    }

    protected <T> T fetch(String path, Class<T> type) {
        return rest.getForObject(baseUrl + path, type);
    }

    protected void remove(String path) {
        rest.delete(baseUrl + path);
    }
}

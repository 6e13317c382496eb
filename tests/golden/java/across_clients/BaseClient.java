package shop;

public abstract class BaseClient {
    protected final RestTemplate restTemplate = new RestTemplate();

    protected <T> T fetch(String path, Class<T> type) {
        return restTemplate.getForObject(Urls.USERS + path, type);
    }
}

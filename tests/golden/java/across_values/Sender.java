package shop;

public class Sender {
    private final RestTemplate restTemplate = new RestTemplate();

    public <T, B> Future<T> postResource(URI uri, B body, ParameterizedTypeReference<T> type) {
        RequestEntity<B> request = RequestEntity.post(uri).contentType(JSON).body(body);
        return new AsyncResult<>(restTemplate.exchange(request, type).getBody());
    }
}

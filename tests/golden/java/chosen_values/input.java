import org.springframework.web.client.RestTemplate;
class A {
    private final RestTemplate http = new RestTemplate();
    String load(boolean mode) {
        String url = mode ? "/java/one" : "/java/two";
        return http.getForObject(url, String.class);
    }
    String sw(Kind kind) {
        String url = switch (kind) {
            case ONE -> "/java/three";
            default -> "/java/four";
        };
        return http.getForObject(url, String.class);
    }
}

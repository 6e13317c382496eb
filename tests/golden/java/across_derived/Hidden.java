package shop;

import org.springframework.web.client.RestTemplate;

abstract class Hidden {
    protected String path = "/base";
    private final RestTemplate rest = new RestTemplate();

    String get() { return rest.getForObject("http://hidden" + path, String.class); }

    private String own() { return "/own"; }

    String mine() { return rest.getForObject("http://hidden" + own(), String.class); }

    String local() {
        String baseUrl = "http://local";
        return rest.getForObject(baseUrl + "/x", String.class);
    }
}

class Hides extends Hidden {
    protected String path = "/derived";

    String own() { return "/not-asked"; }

    String baseUrl() { return "http://not-asked"; }
}

package shop;

import elsewhere.Owner;
import org.springframework.web.client.RestTemplate;

public class Orders {
    private Owner owner;

    static void create(RestTemplate client, Object body) {
        client.postForObject("/orders", body, String.class);
    }

    void create() {
        create(owner.http(), null);
    }
}

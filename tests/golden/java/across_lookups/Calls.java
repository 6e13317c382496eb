package shop;

import com.netflix.discovery.EurekaClient;
import com.orbitz.consul.Consul;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

class Config {
    @Bean
    @LoadBalanced
    RestTemplate restTemplate() { return new RestTemplate(); }

    @Bean
    @LoadBalanced
    WebClient.Builder builder() { return WebClient.builder(); }
}

class Calls {
    private final RestTemplate rest;
    private final WebClient client;
    private final EurekaClient eureka;
    private final DiscoveryClient discovery;

    Calls(RestTemplate rest, WebClient.Builder builder, EurekaClient eureka, DiscoveryClient discovery) {
        this.rest = rest;
        this.client = builder.baseUrl("lb://stock-service").build();
        this.eureka = eureka;
        this.discovery = discovery;
    }

    void all(String id) {
        rest.getForObject("http://users-service/users/{id}", String.class, id);
        client.get().uri("/items").retrieve();
        String base = eureka.getNextServerFromEureka("orders-service", false).getHomePageUrl();
        rest.delete(base + "/orders/" + id);
        ServiceInstance instance = discovery.getInstances("carts").get(0);
        rest.getForObject(instance.getUri() + "/carts/" + id, String.class);
        rest.getForObject(String.format("http://%s:%s/rates", instance.getHost(), instance.getPort()), String.class);
    }
}

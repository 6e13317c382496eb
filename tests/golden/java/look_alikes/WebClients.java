import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;

class WebClients {
	private WebClient web;
	private Request request;

	RouteLocator routes(RouteLocatorBuilder b) {
		return b.routes().route(r -> r.path("/x").and().method("POST").uri("http://x")).build();
	}

	String own() {
		WebClient.builder().defaultHeader("a", "b").build();
		return request.getHeaders().get("uri");
	}
}

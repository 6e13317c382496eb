import java.net.URI;
import org.springframework.cloud.client.discovery.DiscoveryClient;

class Hosts {
	private final DiscoveryClient discovery;

	Hosts(DiscoveryClient discovery) { this.discovery = discovery; }

	URI customers() { return discovery.getInstances("customers-service").get(0).getUri(); }
}

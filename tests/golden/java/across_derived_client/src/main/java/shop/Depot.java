package shop;

import org.springframework.web.client.RestTemplate;

class Depot extends RestTemplate {
	void drop(String id) { this.delete("http://depot/crates/" + id); }
}

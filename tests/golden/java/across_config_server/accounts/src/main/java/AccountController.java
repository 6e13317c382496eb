import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;

@RestController
class AccountController {
	@Value("${users.url}")
	private String users;
	private final RestTemplate rest = new RestTemplate();

	@GetMapping("/{name}")
	String byName(@PathVariable String name) {
		return rest.getForObject(users + "/users/" + name, String.class);
	}
}

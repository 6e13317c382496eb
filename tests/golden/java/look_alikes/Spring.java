/* Annotations of other libraries that are called like Spring's, an interface that no controller implements, a comment. */
import com.example.mapping.GetMapping;
import org.springframework.stereotype.Service;

interface Unused {
	@org.springframework.web.bind.annotation.GetMapping("/unused")
	String unused();
}

@Service
class Spring {
	/* @GetMapping("/commented") */
	String text = "@GetMapping(\"/in-a-string\")";
	java.util.Map<String, String> requestMapping = new java.util.HashMap<>();

	String get(String key) { return requestMapping.get("/key"); }
}

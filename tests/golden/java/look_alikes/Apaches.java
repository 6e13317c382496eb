import org.apache.http.client.methods.HttpUriRequest;
import com.example.HttpGetter;

class Apaches {
	void all(HttpUriRequest given) {
		new HttpGetter("http://not/a/call");
		given.setURI(null);
	}
}

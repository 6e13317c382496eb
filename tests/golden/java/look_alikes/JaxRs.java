import javax.ws.rs.core.Response;
import retrofit2.http.GET;
import retrofit2.http.Path;

/* A verb without a resource class around it, and a method that answers none. */
class JaxRs {
	@GET
	Response notAResource() { return null; }

	Response path(@Path("id") String id) { return null; }
}

package shop;

import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

@RegisterRestClient(baseUri = "http://other")
@Path("/remote")
public interface RemoteUsers {
    @GET
    User get();
}

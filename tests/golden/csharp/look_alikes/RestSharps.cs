using RestSharp;

public class RestSharps {
	public void All(RestResponse response) {
		new RestRequestOptions("not/a/call");
		new RestClientOptions("http://not");
		response.AddHeader("Path", "/not/a/call");
		var text = "new RestRequest(\"not/a/call\")";
		// new RestRequest("not/a/call");
	}
}

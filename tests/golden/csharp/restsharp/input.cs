using RestSharp;

public class Calls
{
    private readonly RestClient client = new RestClient("http://users:8080/api");

    public async Task All(int id)
    {
        await client.ExecuteAsync(new RestRequest("users/{id}").AddUrlSegment("id", id));
        var post = new RestRequest($"users/{id}/orders", Method.Post);
        var bare = new RestRequest(Method.DELETE);
        var absolute = new RestRequest("http://orders/orders", Method.Put);
        new OtherRequest("nothing");
    }
}

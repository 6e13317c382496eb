using RestSharp;

namespace Shop;

public class Client
{
    private readonly RestClient client = new RestClient(Servers.Users);

    public Task<User> User(int id) => client.GetAsync<User>(new RestRequest(Paths.User).AddUrlSegment("id", id));

    public Task Add(User user) => client.ExecuteAsync(new RestRequest("users", Method.Post).AddJsonBody(user));
}

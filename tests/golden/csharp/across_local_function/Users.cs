using System.Net.Http;

public class Users
{
    private readonly Api api;

    public Users(Api api) { this.api = api; }

    public void All()
    {
        var call = api.Send;
        call(HttpMethod.Post, "/users/enable");
        call(HttpMethod.Get, "/users");
        api.Send(HttpMethod.Delete, "/users/1");
    }
}

using Flurl.Http;

public class Calls
{
    private const string Users = "http://users:8080";

    public async Task All(int id)
    {
        await "http://orders/orders".PostJsonAsync(order);
        await Users.AppendPathSegment("users").AppendPathSegment(id).SetQueryParam("a", 1).GetJsonAsync<User>();
        await $"{Users}/users/{id}".WithHeader("a", "b").DeleteAsync();
        await Url.Combine(Users, "users", "all").GetStringAsync();
        await repository.GetAsync(id);
    }
}

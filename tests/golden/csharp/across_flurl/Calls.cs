using Flurl.Http;

namespace Shop;

public class Calls
{
    public Task<User> User(int id) => Settings.UsersUrl.AppendPathSegments("users", id).GetJsonAsync<User>();

    public Task Add(Order order) => $"{Settings.UsersUrl}/orders".PostJsonAsync(order);

    public Task Drop(int id) => Settings.UsersUrl.AppendPathSegment("users").AppendPathSegment(id).DeleteAsync();
}

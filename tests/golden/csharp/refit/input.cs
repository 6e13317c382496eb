using Refit;

public interface IUsers
{
    const string Root = "/users";

    [Get("/users/{id}")]
    Task<User> Get(int id);

    [Headers("A: b")]
    [Post(Root)]
    Task Create([Body] User user);

    [Obsolete("/nothing")]
    void Unrelated();
}

public static class Made
{
    public static IUsers Users = RestService.For<IUsers>("http://users:8080/api");
}

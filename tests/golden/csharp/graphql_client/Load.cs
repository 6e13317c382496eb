using GraphQL.Client.Http;

public class Load
{
    private readonly GraphQLHttpClient client = new GraphQLHttpClient("http://users/graphql", new SystemTextJsonSerializer());

    public Task Users()
    {
        return client.SendQueryAsync<Users>(new GraphQLRequest { Query = @"
            query Users {
                users { id }
            }" });
    }
}

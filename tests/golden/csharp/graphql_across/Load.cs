using GraphQL.Client.Http;

namespace Shop;

public class Load
{
    private readonly GraphQLHttpClient client = new GraphQLHttpClient(Addresses.Orders, new SystemTextJsonSerializer());

    public Task Orders() => client.SendQueryAsync<Orders>(new GraphQLRequest(GraphQLQueries.Orders));
}

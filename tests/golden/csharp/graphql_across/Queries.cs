namespace Shop;

public static class GraphQLQueries
{
    public const string Orders = @"
        query Orders($user: ID!) {
            orders(user: $user) { id }
            stock { level }
        }";
}

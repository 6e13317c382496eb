using NATS.Client;
using StackExchange.Redis;

namespace Shop;

public class Bus
{
    private readonly IConnection connection;
    private readonly IDatabase db;

    public void Run()
    {
        connection.Publish(Names.Created, null);
        connection.SubscribeAsync(Names.Created, Handle);
        db.ListRightPush(Names.Votes, "x");
        db.ListLeftPop(Names.Votes);
    }
}

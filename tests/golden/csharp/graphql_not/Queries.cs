namespace Shop;

// What asks a database, and a handler of a mediator: nobody makes a schema of them.
public class Query
{
    public string GetText() => "select 1";
}

public class OrderQueries
{
    public Task<Order> GetOrderAsync(int id) => db.Find(id);
}

public class GetOrderQueryHandler : IRequestHandler<GetOrderQuery, Order>
{
    public Task<Order> Handle(GetOrderQuery request) => db.Find(request.Id);
}

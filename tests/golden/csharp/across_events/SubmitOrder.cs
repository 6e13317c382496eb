namespace Shop.Orders;

public record SubmitOrder(string Id);

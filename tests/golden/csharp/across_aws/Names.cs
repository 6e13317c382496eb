namespace Shop;

public static class Names
{
    public const string Account = "arn:aws:sns:eu-west-1:123456789012:";
    public const string Orders = Account + "orders";
    public const string Billing = "https://sqs.eu-west-1.amazonaws.com/123456789012/billing";
}

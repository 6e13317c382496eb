namespace Acme.Codes.More
{
    public class Quebec { }
}

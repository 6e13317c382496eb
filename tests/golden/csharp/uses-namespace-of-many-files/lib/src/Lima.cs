namespace Acme.Codes.More
{
    public class Lima { }
}

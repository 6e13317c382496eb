namespace Acme.Codes.More
{
    public class Sierra { }
}

namespace Acme.Codes.More
{
    public class November { }
}

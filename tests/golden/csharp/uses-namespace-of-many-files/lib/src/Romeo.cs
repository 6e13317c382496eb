namespace Acme.Codes.More
{
    public class Romeo { }
}

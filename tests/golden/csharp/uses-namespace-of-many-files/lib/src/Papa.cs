namespace Acme.Codes.More
{
    public class Papa { }
}

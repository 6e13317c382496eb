namespace Acme.Codes.More
{
    public class Mike { }
}

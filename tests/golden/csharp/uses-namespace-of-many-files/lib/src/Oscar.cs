namespace Acme.Codes.More
{
    public class Oscar { }
}

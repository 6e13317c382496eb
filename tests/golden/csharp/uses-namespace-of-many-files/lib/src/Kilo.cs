namespace Acme.Codes.More
{
    public class Kilo { }
}

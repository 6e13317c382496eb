namespace Acme.Codes
{
    public class Charlie
    {
        public static int Count() { return 2; }
    }
}

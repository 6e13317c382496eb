namespace Acme.Codes
{
    public class Delta
    {
        public static int Count() { return 3; }
    }
}

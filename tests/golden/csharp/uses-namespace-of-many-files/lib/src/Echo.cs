namespace Acme.Codes
{
    public class Echo
    {
        public static int Count() { return 4; }
    }
}

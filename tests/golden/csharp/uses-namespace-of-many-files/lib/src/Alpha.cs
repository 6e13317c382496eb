namespace Acme.Codes
{
    public class Alpha
    {
        public static int Count() { return 0; }
    }
}

namespace Acme.Codes
{
    public class Bravo
    {
        public static int Count() { return 1; }
    }
}

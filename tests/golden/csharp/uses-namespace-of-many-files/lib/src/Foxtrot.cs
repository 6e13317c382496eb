namespace Acme.Codes
{
    public class Foxtrot
    {
        public static int Count() { return 5; }
    }
}

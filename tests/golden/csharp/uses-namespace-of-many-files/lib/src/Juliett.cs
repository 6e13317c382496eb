namespace Acme.Codes
{
    public class Juliett
    {
        public static int Count() { return 9; }
    }
}

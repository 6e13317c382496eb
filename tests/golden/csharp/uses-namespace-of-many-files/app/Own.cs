namespace App.Own
{
    public class Name
    {
        public static int Count() { return 1; }
    }
}

namespace App
{
    public class User
    {
        public bool Valid() => true;
    }
}

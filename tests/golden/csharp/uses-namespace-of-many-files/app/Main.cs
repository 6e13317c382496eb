using Acme.Codes;
using More = Acme.Codes.More;

namespace App
{
    public class Main
    {
        public int Run(Juliett last)
        {
            var s = new More.Sierra();
            return Alpha.Count() + Juliett.Count() + Own.Name.Count();
        }
    }
}

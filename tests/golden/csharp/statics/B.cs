using static Lib.Maths;
using Lib;

public class B
{
    public int Run()
    {
        var c = Color.Red;
        return Twice(Max) + Maths.Twice(1);
    }
}

namespace Lib
{
    public static class Maths
    {
        public const int Max = 3;
        public static int Twice(int x) => x * 2;
    }

    public enum Color { Red, Green }
}

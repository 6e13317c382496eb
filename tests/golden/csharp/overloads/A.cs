public class A
{
    public int Sum(int a) => a;
    public int Sum(int a, int b) => a + b;

    public int Run() => Sum(1) + Sum(1, 2);
}

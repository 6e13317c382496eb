using System;

public class Mine
{
    public int Trim() => 0;
    public void Add(int x) { }
}

public class Use
{
    public void Run(string text, dynamic d)
    {
        text.Trim();
        Console.WriteLine(text);
        d.Unknown();
    }
}

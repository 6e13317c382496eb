using Acme;

class Main
{
    string Name;
    void Run()
    {
        var o = new Options { Name = "a", Size = 3 };
        Name = o.Name;
    }
}

namespace Acme;

public class Options
{
    public string Name { get; set; }
    public int Size { get; set; }
}

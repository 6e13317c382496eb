namespace Acme;

public class Server
{
    public Options Options { get; set; }
    public Clock Clock { get; set; }
}

namespace Acme.Settings;

public class Options
{
    public Server Port(int port) { return null; }
}

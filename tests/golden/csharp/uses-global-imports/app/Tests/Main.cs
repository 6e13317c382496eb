class Main
{
    void Run()
    {
        var s = new Server();
        s.Options.Port(80).Clock.Now();
    }
}

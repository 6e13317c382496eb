namespace Acme.Time;

public class SystemClock
{
    public long Now() { return 0; }
}

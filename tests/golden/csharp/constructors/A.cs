public class Base
{
    public Base(int x) { }
    public virtual void Run() { }
}

public class Derived : Base
{
    public Derived(int x) { }
    public Derived() : this(1) { }
    public override void Run() { base.Run(); }
}

public class Plain { }

public class Make
{
    public void All()
    {
        new Derived(3);
        Base b = new(2);
        var p = new Plain();
    }
}

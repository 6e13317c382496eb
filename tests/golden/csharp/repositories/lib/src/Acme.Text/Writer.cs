using System;

namespace Acme.Text;

[AttributeUsage(AttributeTargets.Class)]
public class MarkAttribute : Attribute {
    public string Name { get; set; }
}

public interface ISink {
    void Emit(Event e);
}

public abstract class Writer {
    public const int Max = 3;
    public Level Current { get; set; }
    protected virtual void Flush() { }
    public static Writer Create(Level level) => null;
    public Event Last { get; }
    public Options Settings = new();
}

public class Event {
    public Level Level { get; init; }
    public string Text(int n) => "";
}

public class Options {
    public int Size { get; set; }
    public Options With(int n) => this;
}

public static class WriterExtensions {
    public static Writer Twice(this Writer w, int n) => w;
    public static string Shorten(this string text) => text;
    public static IEnumerable<Event> Recent(this Writer w) => null;
}

public class Box<T> where T : Event {
    public T Value { get; }
}

using Acme.Text;
using Lvl = Acme.Text.Level;
using static Acme.Text.Writer;

namespace App;

[Mark(Name = "x")]
public class Sink : ISink {
    public void Emit(Acme.Text.Event e) {
        e.Text(1);
    }
}

public class Loud : Writer {
    protected override void Flush() { base.Flush(); }

    public void Run(Writer w, dynamic unknown, Box<Acme.Text.Event> box) {
        var made = Writer.Create(Level.High);
        made.Twice(2).Current = Lvl.Low;
        w.Last.Text(3);
        w.Settings.With(1).Size = 4;
        foreach (var e in w.Recent()) e.Text(5);
        var options = new Options { Size = 1 };
        var name = nameof(Writer.Current);
        if (w is Loud loud) loud.Run(w, null, box);
        box.Value.Text(6);
        unknown.Text(7);
        new Event().Text(8);
        "abc".Shorten();
        5.Twice();
        Writer? maybe = w;
        maybe?.Twice(Max);
    }
}

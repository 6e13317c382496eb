package app;

import static org.acme.text.Base.shared;
import static org.acme.text.Builder.MAX;

import org.acme.text.*;
import org.acme.text.Builder.Nested;
import java.util.List;

@Marker("x")
class Main extends Base {
    private final Builder<org.acme.text.Part> builder = Builder.of(new org.acme.text.Part());

    protected void visit(org.acme.text.Part part) {
        part.next().text();
    }

    void run(Object unknown, List<Builder<org.acme.text.Part>> list) {
        builder.add("a", MAX)
            .first()
            .text();
        count = 1;
        reset();
        shared().reset();
        new Nested().go();
        Nested.Kind kind = Nested.Kind.A;
        list.stream().map(Builder::first).count();
        for (Builder<org.acme.text.Part> b : list) b.first().text();
        builder.all().get(0).next();
        builder.all().forEach(p -> p.text());
        new Part().text();
        new Copied().go();
        unknown.text();
        new Base() {
            protected void visit(org.acme.text.Part part) {}
        }.reset();
    }
}

package shop;

public class Admin<T> extends Users.Base<T> implements Auditable, Comparable<Admin<T>> {
    static final Logger LOG = Logger.get(Admin.class);
    protected List<Role> roles = new ArrayList<>();
    private int a, b;

    class Inner extends Thread {
    }

    enum Kind implements Coded {
        FIRST("f"), SECOND {
            int code() { return 2; }
        };
        final String text = "";
    }
}

interface Finder extends Reader, Closeable {
    int LIMIT = Limits.MAX;

    User find(Key key) throws Missing;

    default void close() { drop(); }
}

record Point(int x, @Checked Unit unit) implements Shape {
    Point {
        check(x);
    }
}

@interface Checked {
    Class<? extends Check> by() default Check.class;
}

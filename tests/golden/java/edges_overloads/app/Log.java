package app;

public class Log {
    void write(String s) {
        write(s, 1);
    }

    void write(String s, int level) {
    }

    enum Level {
        LOW, HIGH;

        Level next() {
            return HIGH;
        }
    }

    Runnable later(Level level) {
        return () -> this.write(level.next().name());
    }

    Object anonymous() {
        return new Runnable() {
            public void run() {
                write("x");
            }
        };
    }
}

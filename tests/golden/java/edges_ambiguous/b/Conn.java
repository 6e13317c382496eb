package b;

public class Conn {
    public void close() {
    }

    public void onlyHere() {
    }
}

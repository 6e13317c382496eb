package a;

public class Conn {
    public void close() {
    }
}

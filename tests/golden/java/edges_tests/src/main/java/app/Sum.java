package app;

public class Sum {
    public int add(int a, int b) {
        return a + b;
    }
}

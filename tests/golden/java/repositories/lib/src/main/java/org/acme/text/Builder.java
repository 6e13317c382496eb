package org.acme.text;

public class Builder<T extends Part> extends Base {
    public static final int MAX = 3;
    public Builder<T> add(T part) { return this; }
    public Builder<T> add(String name, int n) { return this; }
    public T first() { return null; }
    public java.util.List<T> all() { return null; }
    public static <P extends Part> Builder<P> of(P part) { return null; }

    public static class Nested {
        public void go() {}
        public enum Kind { A, B }
    }
}

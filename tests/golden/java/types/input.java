class Types<K extends Comparable<K>> {
    private Optional<? extends Shape> shape;
    private java.util.Map<K, Shape[]> map;

    @Deprecated
    @Route(path = Paths.ROOT, by = Auth.class)
    <R extends Result> R apply(Function<? super K, R> f) throws Missing {
        Shape[] all = new Shape[3];
        Class<?> c = Circle.class;
        return f.apply((K) null);
    }

    void none() {
    }
}

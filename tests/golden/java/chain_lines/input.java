class Job {
    Result run(Builder b, Type kind) {
        Type other = Type.of(kind);
        Type last = other;
        return b.name("x")
            .size(3)
            .build(Type.MAX);
    }
}

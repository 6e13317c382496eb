class Job {
    Level Run(Builder b) {
        Level first = Level.High;
        Level second = Level.Low;
        return b.Name("x")
            .Size(3)
            .Build(second);
    }
}

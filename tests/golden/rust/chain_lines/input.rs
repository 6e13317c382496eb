fn run(b: Builder) -> Job {
    let first: Kind = Kind::new();
    let second: Kind = first;
    Job::builder()
        .size(3)
        .build(second)
}

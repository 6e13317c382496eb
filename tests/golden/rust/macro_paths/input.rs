fn run(o: Kind) {
    assert_eq!(o, Kind::Two);
    let list = vec![Point::ORIGIN, Point::new(1), o.first];
    println!("{}", crate::limits::MAX);
}

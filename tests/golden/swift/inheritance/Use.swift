func total(_ shapes: [Shape]) -> Double {
    var sum = 0.0
    for s in shapes { sum += s.area() }
    let c = Circle(r: 1)
    c.rename()
    _ = c.describe()
    return sum
}

struct Wrapper {
    let inner: Circle
    func show() -> String { inner.describe() }
    func again() -> String { self.show() }
}

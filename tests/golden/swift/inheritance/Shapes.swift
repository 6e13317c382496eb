protocol Shape {
    func area() -> Double
}

extension Shape {
    func describe() -> String { "area \(area())" }
}

class Base {
    let name: String
    init(name: String) { self.name = name }
    func rename() {}
}

final class Circle: Base, Shape {
    let r: Double
    init(r: Double) {
        self.r = r
        super.init(name: "circle")
    }
    func area() -> Double { r }
    override func rename() {
        super.rename()
        _ = describe()
    }
}

protocol Shape {
  func area() -> Double
}

struct Square: Shape {
  func area() -> Double { 1 }
  func grow() -> Square { self }
}

class Store<T: Shape> {
  var items: [T] = []
  func head() -> T { items[0] }
  func total() -> Double { head().area() }
}

class Squares: Store<Square> {
  func inherited() { head().grow() }
}

class Use {
  let store: Store<Square>
  func argument() { store.head().grow() }
  func ofBase(_ s: Squares) { s.head().grow() }
  func element(_ list: [Square]) { list.first!.grow() }
  func bound<T: Shape>(_ t: T) { t.area() }
}

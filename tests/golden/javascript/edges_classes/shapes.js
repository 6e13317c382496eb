export class Shape {
  draw() {
    this.paint();
  }
  paint() {}
  static of() {
    return new Shape();
  }
}

export class Circle extends Shape {
  paint() {
    super.paint();
    Shape.of().draw();
  }
}

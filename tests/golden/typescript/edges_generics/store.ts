export interface Shape {
  area(): number;
}

export class Square implements Shape {
  area() { return 1; }
  grow() { return this; }
}

export class Store<T extends Shape = Shape> {
  items: T[] = [];
  first(): T { return this.items[0]; }
  all(): Promise<T[]> { return Promise.resolve(this.items); }
  total() { return this.first().area(); }
}

export class Squares extends Store<Square> {
  inherited() { this.first().grow(); }
}

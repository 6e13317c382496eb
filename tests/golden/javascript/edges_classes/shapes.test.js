import { Circle } from "./shapes.js";

describe("Circle", () => {
  it("draws", () => {
    const c = new Circle();
    c.draw();
    c.paint();
  });
});

#include "kit/shape.hpp"

namespace kit {

Shape::Shape(int n) : size(n) {}
double Shape::area() const { return 0; }
Shape Shape::make(int n) { return Shape(n); }
static int hidden() { return 0; }
double total(const std::vector<Shape> &shapes) { return hidden(); }

namespace io {
void save(const Shape &shape) {}
}

}

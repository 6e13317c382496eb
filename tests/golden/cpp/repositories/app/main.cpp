#include <kit/shape.hpp>
#include "own.hpp"

namespace app {

class Circle : public kit::Shape {
public:
    Circle() : kit::Shape(1) {}
    double area() const override { return kit::Shape::area() * size; }
};

void run(own::Shape other) {
    using kit::Box;
    kit::Shape shape = kit::Shape::make(kit::kLimit);
    shape.area();
    auto made = std::make_unique<Circle>();
    made->area();
    Box<kit::Shape> box;
    box.get().area();
    box.put(shape);
    for (const auto &part : shape.parts()) part.area();
    kit::total(shape.parts());
    kit::io::save(shape);
    other.area();
    auto mode = kit::Mode::Fast;
}

}

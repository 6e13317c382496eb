#include "shape.h"

class Square : public Shape {
public:
	double area() const override { return side_; }

private:
	double side_;
};

double total(const Shape &shape, const Square &square)
{
	return shape.area() + square.area() + square.twice();
}

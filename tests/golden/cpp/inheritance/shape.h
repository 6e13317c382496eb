#pragma once
class Shape {
public:
	virtual ~Shape();
	virtual double area() const = 0;
	double twice() const { return area() * 2; }
};

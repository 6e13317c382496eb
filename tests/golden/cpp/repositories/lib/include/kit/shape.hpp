#pragma once
#include <vector>
#include <memory>

namespace kit {

enum class Mode { Fast, Slow };

class Shape {
public:
    explicit Shape(int size);
    virtual ~Shape() = default;
    virtual double area() const;
    static Shape make(int n);
    std::vector<Shape> parts() const;
    int size = 0;
};

template <typename T>
class Box {
public:
    T &get();
    void put(T value);
};

double total(const std::vector<Shape> &shapes);

namespace io {
void save(const Shape &shape);
}

constexpr int kLimit = 3;

}

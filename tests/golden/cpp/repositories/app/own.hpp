namespace own {

class Shape {
public:
    double area() const;
};

}

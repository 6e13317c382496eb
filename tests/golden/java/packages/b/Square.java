package b;

import a.Base;
import a.Shape;
import java.util.List;

public class Square extends Base {
    private List<Shape> parts;
    private Helper own = new Helper();

    @Override
    public int area() {
        for (Shape part : parts) {
            part.area();
        }
        own.count();
        Shape.unit().area();
        Runnable r = this::grow;
        return super.area() + size(3);
    }

    @Override
    protected int size(int a) {
        return a * 2;
    }

    void grow() {
        parts.forEach(Shape::area);
        parts.add(this);
    }
}

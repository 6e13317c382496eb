package shapes;

import java.util.List;
import java.util.Map;
import java.util.Optional;

interface Shape {
    double area();
}

class Square implements Shape {
    public double area() { return 1; }
    Square grow() { return this; }
}

class Store<T extends Shape> {
    List<T> items;
    T first() { return items.get(0); }
    Optional<T> find(int id) { return Optional.empty(); }
    double total() { return first().area(); }
}

class Squares extends Store<Square> {
    void inherited() { first().grow(); }
}

class Use {
    Store<Square> store;
    List<Square> list;
    Map<String, Square> map;

    void argument() { store.first().grow(); }
    void throughOptional() { store.find(1).get().grow(); }
    void elementOfField() { store.items.get(0).grow(); }
    void ofBase(Squares s) { s.first().grow(); }
    void elements() { list.get(0).grow(); }
    void byKey() { map.get("x").grow(); }
    void asStream() { list.stream().filter(s -> s.area() > 1).findFirst().get().grow(); }
    void callback() { list.forEach(s -> s.grow()); }
    <T extends Square> void bound(T t) { t.grow(); }
    double wild(List<?> any) { return any.get(0).area(); }
    class Inner {
        void outside() { Use.this.elements(); }
    }
}

package shapes;

public abstract class Base implements Shape {
    protected final String name;

    protected Base(String name) {
        this.name = name;
    }

    public String toString() {
        return name + show();
    }
}

module shop.order;

// An order.
struct Order {
    int id;
    int total() { return 1; }
}

interface Sized { int size(); }

class Box : Sized {
    private int n;
    this(int n) { this.n = n; }
    int size() { return n; }
}

enum Color { red, green }

int add(int a, int b)
{
    return a + b;
}

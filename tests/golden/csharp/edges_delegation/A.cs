namespace Shop;
class Base {
	protected Base(int x) { }
	protected Base(int x, int y) { }
}
class Derived : Base {
	Derived(int x) : base(x) { }
	Derived() : this(1) { }
}

struct Base {
	Base(int x) {}
	virtual void run() {}
};

struct Derived : Base {
	Derived() : Base(1) {}
	void run() override { Base::run(); }
};

template <typename T>
class Box {
public:
	T get() const { return value_; }
	void set(T value) { value_ = value; }

private:
	T value_;
};

class Item {
public:
	void save() {}
};

template <typename T>
T twice(T x)
{
	return x + x;
}

void run(Box<Item> &box)
{
	box.set(Item());
	box.get();
	twice<int>(1);
	twice(2);
}

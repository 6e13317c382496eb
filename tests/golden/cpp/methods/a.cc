class Counter {
public:
	int add(int n)
	{
		bump(n);
		this->bump(n);
		return count_;
	}

private:
	void bump(int n);
	int count_;
};

void Counter::bump(int n)
{
	count_ += n;
}

int use(Counter &c)
{
	return c.add(1);
}

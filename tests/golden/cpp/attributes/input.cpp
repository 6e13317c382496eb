class __declspec(dllexport) Window : public Base {
	Q_OBJECT
	Q_PROPERTY(int width READ width)
public:
	Q_INVOKABLE void show();
	Q_INVOKABLE virtual QString title() const;
	Q_DECL_DEPRECATED_X("use title") QString caption() const;
	static int __hidden(int x);
	virtual void DRAW_ALL(int x) = 0;
};

BOOST_NOINLINE void paint(int x)
{
}

__declspec(dllexport) int exported_one(int x)
{
	return x;
}

template <class T>
BOOST_FORCEINLINE T twice(T x)
{
	return x + x;
}

thread_local int PER_THREAD = 3;
static constexpr int LIMIT = 4;
if_not and_or(int x);
bool both(bool a, bool FOO, bool b)
{
	return a and FOO and b;
}

#define API __attribute__((visibility("default")))
LIB_BEGIN_NAMESPACE

class API Store : public Base {
	Q_OBJECT
public:
	explicit Store(int x) NO_THROW : x_(x) {}
	API virtual int find(int id) LOCKS_EXCLUDED(mutex_);
	LIB_NODISCARD LIB_INLINE std::vector<int> *all() const;
	int size() const NO_THROW { return x_; }

private:
	std::map<int, User> users_ GUARDED_BY(mutex_);
	int x_ GUARDED_BY(mutex_) = 0;
};

class LIB_EXPORT(1) Plain;

struct LIB_PACKED Header {
	int length;
};

static LIB_INLINE int helper(int a)
{
	DWORD count = 1;
	HANDLE h;
	if (a)
		RETURN_IF_ERROR(check(a));
	while (a)
		NEXT(a);
	return LIMIT;
}

API const char *name(void);
API Store *open(const char *path) { return nullptr; }
template <typename T> LIB_CONSTEXPR auto twice(T x) -> T { return x + x; }

enum Color {
	RED_ONE,
	BLUE_ONE
};

DWORD read_all(HANDLE file);
UINT64 kMask = 1;
LIB_END_NAMESPACE

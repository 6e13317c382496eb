#include <string>
#define MAX_USERS 100
#define SQUARE(x) ((x) * (x))

namespace app {

/* Where users are kept. */
class Store : public Base, private detail::Mixin<int> {
public:
	/// Opens the store.
	explicit Store(std::string path);
	Store(const Store &) = delete;
	virtual ~Store();

	// Finds one user.
	virtual User *find(int id) const = 0;
	const std::string &path() const { return path_; }
	static Store *open(const char *path);
	bool operator==(const Store &other) const;
	Store &operator<<(int value);
	int operator()(int a, int b);
	explicit operator bool() const { return open_; }
	template <typename T> T get(T fallback);

	enum class State { Open, Closed = 2 };
	struct Stats {
		int hits;
	};
	using Key = std::string;

protected:
	void touch();

private:
	int flush(bool force) { return 0; }
	std::string path_;
	bool open_ = false, dirty_;
	void (*hook_)(int);
	static int count;
};

int Store::count = 0;

Store::Store(std::string path) : path_(path)
{
}

Store::~Store() = default;

bool Store::operator==(const Store &other) const
{
	return path_ == other.path_;
}

template <typename T>
T Cache<T>::get(const std::string &key)
{
	return map_[key];
}

template <class T>
struct Box {
	T value;
	Box(T v) : value(v) {}
};

template <typename T> T twice(T x) { return x + x; }

static int hidden() { return 1; }

namespace {
int also_hidden() { return 2; }
struct Private { int x; };
}

namespace nested::deep {
const int kLimit = 3;
constexpr double kRatio = 0.5;
int counter;
int declared(int x);
}

enum Color { RED, GREEN };
typedef unsigned long size;
union Value { int i; double d; };

auto trailing(int a) -> int { return a; }

template <typename T>
concept Small = sizeof(T) < 8;

}  // namespace app

void app::nested::run() {}

extern "C" {
int c_api(void) { return 0; }
}

TEST(StoreTest, Finds)
{
	auto helper = [](int x) { return x; };
}

namespace one {
int value() { return 1; }
namespace deep {
int inner() { return value(); }
}
}

namespace two {
int value() { return 2; }
int run() { return value() + one::value() + one::deep::inner(); }
}

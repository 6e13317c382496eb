#include "a.h"

namespace lib {
int parse(int x) { return x; }
int Reader::next() { return 0; }
}

#include "shop.hpp"
namespace shop {
inline namespace v1 {
Square& Square::grow() { detail::helper(); return *this; }
Square Square::make() { return {}; }
void poke(Square& s) { s.grow(); }
}
namespace detail {
void helper() {}
}
}

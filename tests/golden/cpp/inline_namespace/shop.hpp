#pragma once
namespace shop {
inline namespace v1 {
struct Square {
	Square& grow();
	static Square make();
};
void poke(Square& s);
}
namespace detail {
void helper();
}
}

#include "shop.hpp"

void qualified()
{
	shop::Square s = shop::Square::make();
	s.grow();
	shop::poke(s);
}

using namespace shop;

void opened(Square& s)
{
	poke(s);
	s.grow();
}

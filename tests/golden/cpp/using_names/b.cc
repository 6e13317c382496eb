#include "a.h"
using namespace lib;

int run()
{
	Reader reader;
	return reader.next() + parse(1);
}

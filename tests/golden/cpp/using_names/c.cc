#include "a.h"
using lib::parse;

int run_too()
{
	return parse(2);
}

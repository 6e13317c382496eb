#include "store.h"

namespace app {
Store::Store(int size) {}

int Store::find(int id) const
{
	return helper(id);
}

Store *Store::open()
{
	return new Store(1);
}

int helper(int x)
{
	return x;
}
}

#include "store.h"

int main()
{
	app::Store store(3);
	store.find(1);
	app::Store *other = app::Store::open();
	other->find(2);
	return app::helper(1);
}

#include "store.h"

TEST(StoreTest, IsEmpty)
{
	Store store;
	EXPECT_EQ(0, store.size());
}

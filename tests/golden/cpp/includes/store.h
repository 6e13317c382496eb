#pragma once
namespace app {
class Store {
public:
	explicit Store(int size);
	int find(int id) const;
	static Store *open();
};
int helper(int x);
}

#include <memory>
#include <vector>

class Item {
public:
	void save() {}
};

class Shop {
	std::unique_ptr<Item> item_;
	std::vector<Item> items_;

public:
	void run()
	{
		item_->save();
		for (auto &item : items_)
			item.save();
		auto made = std::make_unique<Item>();
		made->save();
		auto *raw = new Item();
		raw->save();
		Item local;
		local.save();
	}
};

#include "store.h"
using namespace std;
using app::helper;
namespace app {
class Service : public Base, private ns::Mixin<int> {
	std::unique_ptr<Repo> repo_;
	std::vector<Item> items_;
	Item *find(int id);
};
Item *Service::find(int id) {
	Repo local(id);
	Repo other;
	auto made = std::make_unique<Repo>(1);
	Repo *p = new Repo(2);
	p->open();
	repo_->find(id);
	this->items_.size();
	for (auto &item : items_) item.save();
	made->open();
	ns::free_call(id);
	Util::stat();
	helper(static_cast<Item *>(x)->save());
	Base::find(id);
	int n = count;
	return nullptr;
}
}

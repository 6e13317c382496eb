class Store {
public:
	int size() const { return 0; }
};

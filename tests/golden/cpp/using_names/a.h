namespace lib {
int parse(int x);
class Reader {
public:
	int next();
};
}

class Config {
public:
	static int limit() { return kMax; }
	static const int kMax = 3;
	enum Mode { Fast, Slow };
};

int run()
{
	return Config::limit() + Config::kMax + Config::Fast;
}

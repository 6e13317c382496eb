int sum(int a) { return a; }
int sum(int a, int b) { return a + b; }

int run()
{
	return sum(1) + sum(1, 2);
}

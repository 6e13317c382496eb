static int helper(void)
{
	return 2;
}

int run_b(int helper)
{
	return helper;
}

int run_c(void)
{
	return run_a() + helper();
}

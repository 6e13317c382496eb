struct command {
	const char *name;
	int (*run)(int);
};

static int cmd_open(int n)
{
	return n;
}

static int cmd_close(int n)
{
	return n;
}

static const struct command commands[] = {
	{ "open", cmd_open },
	{ .name = "close", .run = cmd_close },
};

int dispatch(int i)
{
	return commands[i].run(i);
}

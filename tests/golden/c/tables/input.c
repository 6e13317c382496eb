static const struct command commands[] = {
	{ "open", cmd_open, NULL },
	{ .name = "close", .run = cmd_close, .flags = CMD_LATE },
};

struct ops file_ops = { .read = file_read, .sub = { .write = file_write } };

int (*handler)(int) = on_event;

void setup(struct ops *o)
{
	o->read = file_read;
	signal(SIGINT, on_signal);
}

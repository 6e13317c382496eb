#include <lib.h>

static int open_it(const char *path) { return 1; }

static const struct lib_ops ops = { .open = open_it, .flags = 2 };
static const struct lib_ops all[] = { { .flags = 3 } };

int main(void)
{
	return lib_register(&ops) + lib_register(&(struct lib_ops){ .flags = 1 });
}

#define const
struct lib_ops {
	int (*open)(const char *path);
	int flags;
};
int lib_register(const struct lib_ops *);

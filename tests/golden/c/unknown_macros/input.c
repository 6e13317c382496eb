struct PACKED header {
	int length;
};

__init static int setup(void)
{
	BUG_ON(x);
	return 0;
}

static INLINE unsigned long twice(unsigned long x) PURE;

EXPORT struct header *open_header(const char *path) NONNULL(1)
{
	struct HEADER old;
	FILE *in = fopen(path, "r");
	SIZE_T n;
	return 0;
}

EXPORT_SYMBOL(open_header);
MODULE_LICENSE("GPL")

static __always_inline __alloc_size(1) void *kmalloc(size_t size, gfp_t flags)
{
	return __kmalloc(size, flags);
}

static inline u32 __round_up(u32 size)
{
	return size;
}

unsigned int __count_pages(const void *context,
			   int flags)
{
	return __round_up(flags);
}

__printf(1, 2) __cold
void report(const char *format, ...)
{
	__round_up(1);
}

extern __printf(2, 3) int trace(int level, const char *format, ...);

asmlinkage __visible void __init start(void)
{
	report("x");
}

static noinline int __ref slow(int x)
{
	return x;
}

void notrace quiet(void)
{
}

__must_check __attribute__((nonnull(1))) static int strict(char *p)
{
	return *p;
}

DEPRECATED("use strict") int lax(void)
{
	return 0;
}

CJSON_PUBLIC(const char *) cJSON_Version(void)
{
	return "1";
}

static DEFINE_MUTEX(lock);
static int limit __read_mostly = 3;
static struct table entries __aligned(8);
struct pool {
	__aligned(8) u32 first;
	int second __aligned(4);
};

int use(void)
{
	IF_DEBUG(x) return limit;
	FOR_EACH(x, list) report(x);
	return 0;
}

EXPORT_SYMBOL(use);
SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)
{
	return use();
}
static char buffer[16] __initdata = "x";
static u32 __seed;
thread_local struct pool *__pools;

#define LIMIT 10
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#ifdef LIMIT
static int limit = LIMIT;
#endif

int least(int x)
{
#if defined(EXTRA) && EXTRA > 1
	x = MIN(x, EXTRA);
#endif
	goto out;
out:
	return MIN(x, LIMIT);
}

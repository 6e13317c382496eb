#include "coordinator/contracts/matching/path_difference.h"

#include <string.h>

#include "proto/base/minmax.h"

/* What the differences cost. */
enum {
	COST_LEADING = 3, /* a leading segment that only one of the two has */
	COST_WORD_FOR_PARAMETER = 1,
	COST_UNKNOWN = 4, /* an unknown part of the call where the route has text */
	COST_SIMILAR = 4, /* other text: from this, … */
	COST_OTHER = 10, /* … for one letter of many, to this */
	COST_ENDS = 9, /* a segment behind the end of the other path */
	COST_REST = 8, /* {*} of either takes what follows */
	WORD_MAX = 40, /* letters that are compared */
};

/* How many letters must change to make one text the other, of the first WORD_MAX. */
static size_t edits(const char *x, const char *y)
{
	size_t n = MIN(strlen(x), WORD_MAX), m = MIN(strlen(y), WORD_MAX);
	size_t row[WORD_MAX + 1];

	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t before = row[0];
		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			size_t replaced = before + (x[i - 1] != y[k - 1]);
			before = row[k];
			size_t other = MIN(row[k], row[k - 1]) + 1;
			row[k] = MIN(replaced, other);
		}
	}
	return row[m];
}

static int text_cost(const char *x, const char *y)
{
	size_t longest = MAX(MAX(strlen(x), strlen(y)), 1);
	size_t changed = MIN(edits(x, y), MIN(longest, WORD_MAX));

	return COST_SIMILAR +
	    (int)(changed * (COST_OTHER - COST_SIMILAR) / MIN(longest, (size_t)WORD_MAX));
}

static const char *segment_at(const struct path_template *p, size_t i)
{
	if (i < p->n)
		return p->seg[i];
	return NULL;
}

static void note(struct path_difference *d, const struct path_template *call, size_t i,
    const struct path_template *route, size_t k, bool hole)
{
	if (d->segment) {
		d->unknown &= hole;
		return;
	}
	d->segment = (int)i + 1;
	d->called = segment_at(call, i);
	d->served = segment_at(route, k);
	d->unknown = hole;
}

static void compare_segments(struct path_difference *d, const struct path_template *call, size_t i,
    const struct path_template *route, size_t k, bool computed)
{
	const char *c = call->seg[i], *r = route->seg[k];

	switch (path_segment_fit(c, call->kind[i], r, route->kind[k])) {
	case FITS_TEXT: d->shared += !path_is_common_word(r); break;
	case FITS_PARAMETER:
		if (call->kind[i] == SEG_LITERAL) {
			d->cost += COST_WORD_FOR_PARAMETER;
			d->taken++;
		}
		break;
	case FITS_WEAKLY:
		d->cost += computed ? COST_UNKNOWN : COST_OTHER;
		note(d, call, i, route, k, computed);
		break;
	case FITS_NOT:
		d->cost += text_cost(c, r);
		note(d, call, i, route, k, computed && call->kind[i] != SEG_LITERAL);
		break;
	}
}

/* Lay the call from segment `i` on over the route from segment `k` on; all before it is leading. */
static struct path_difference compare_from(const struct path_template *call, size_t i,
    const struct path_template *route, size_t k, bool computed)
{
	struct path_difference d = { .cost = COST_LEADING * (int)(i + k), .shift = (int)i - (int)k };

	for (; i < call->n && k < route->n; i++, k++) {
		if (call->kind[i] == SEG_REST || route->kind[k] == SEG_REST) {
			d.cost += COST_REST;
			return d;
		}
		compare_segments(&d, call, i, route, k, computed);
	}
	size_t more = call->n - i + route->n - k;
	d.cost += COST_ENDS * (int)more;
	if (more && route->kind && k < route->n && route->kind[k] == SEG_REST)
		d.cost -= COST_ENDS;
	else if (more)
		note(&d, call, i, route, k, false);
	return d;
}

/* That a parameter takes a word says nothing if no other text of the two agrees. */
static void doubt_beginning(
    struct path_difference *d, const struct path_template *call, const struct path_template *route)
{
	if (!d->shift || d->segment || d->shared || !d->taken)
		return;
	d->cost += COST_OTHER;
	note(d, call, 0, route, 0, false);
}

struct path_difference path_difference(
    const struct path_template *call, const struct path_template *route, bool computed)
{
	struct path_difference same = compare_from(call, 0, route, 0, computed), ends = same;

	if (call->n > route->n)
		ends = compare_from(call, call->n - route->n, route, 0, computed);
	else if (call->n < route->n)
		ends = compare_from(call, 0, route, route->n - call->n, computed);
	doubt_beginning(&ends, call, route);
	if (ends.cost < same.cost)
		return ends;
	return same;
}

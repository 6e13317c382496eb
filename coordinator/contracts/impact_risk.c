#include "coordinator/contracts/impact_risk.h"

#include <string.h>

#include "proto/base/buf.h"

/*
 * The first row with a number that is reached decides; 0 = no threshold.
 * coordinator/contracts/PACKAGES.md shows the table.
 */
static const struct {
	const char *risk;
	struct impact_size from;
} rows[] = {
	/*            affected direct routes repos */
	{ "CRITICAL", { 100,     40,    10,    3 } },
	{ "HIGH",     {  25,     10,     3,    1 } },
	{ "MEDIUM",   {   5,      3,     1,    0 } },
	{ "LOW",      {   0,      0,     0,    0 } },
};

static int reached(uint64_t n, uint64_t from)
{
	return from && n >= from;
}

const char *impact_risk_level(const struct impact_size *s)
{
	size_t i = 0;

	for (; i + 1 < LEN(rows); i++) {
		const struct impact_size *f = &rows[i].from;
		if (reached(s->affected, f->affected) || reached(s->direct, f->direct) ||
		    reached(s->routes, f->routes) || reached(s->repos, f->repos))
			break;
	}
	return rows[i].risk;
}

static size_t rank(const char *risk)
{
	size_t i = 0;

	while (i < LEN(rows) && (!risk || strcmp(rows[i].risk, risk)))
		i++;
	return i;
}

const char *impact_risk_max(const char *a, const char *b)
{
	if (rank(a) <= rank(b))
		return a;
	return b;
}

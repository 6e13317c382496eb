#include "proto/embed/subword_tokens.h"

#include <stdbool.h>

#include "proto/base/minmax.h"

enum { SEPARATOR, LOWER, UPPER, DIGIT };

static const unsigned char class[256] = {
	['a' ... 'z'] = LOWER, ['A' ... 'Z'] = UPPER, ['0' ... '9'] = DIGIT,
};

static int class_at(const struct subtokens *s, size_t i)
{
	if ((size_t)(s->end - s->p) > i)
		return class[s->p[i]];
	return SEPARATOR;
}

/* Whether a piece ends before s->p, which is inside a run of letters and digits. */
static bool cut(const struct subtokens *s)
{
	int before = class[s->p[-1]], c = class[s->p[0]];

	if ((before == DIGIT) != (c == DIGIT))
		return true;
	if (c != UPPER)
		return false;
	if (before == LOWER)
		return true;
	return class_at(s, 1) == LOWER && (s->p[1] != 's' || class_at(s, 2) == LOWER);
}

size_t subtokens_next(struct subtokens *s, char out[SUBTOKEN_MAX])
{
	for (;;) {
		while (s->p < s->end && !class[*s->p])
			s->p++;
		if (s->p == s->end)
			return 0;
		const unsigned char *start = s->p++;
		while (s->p < s->end && class[*s->p] && !cut(s))
			s->p++;
		size_t n = (size_t)(s->p - start);
		if (n < 2)
			continue;
		n = MIN(n, SUBTOKEN_MAX);
		for (size_t i = 0; i < n; i++)
			out[i] = (char)(start[i] | 0x20);	/* digits have the bit already */
		return n;
	}
}

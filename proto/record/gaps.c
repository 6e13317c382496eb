#include "proto/record/gaps.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/record/record.h"

const struct gap_kind gap_kinds[] = {
#define GAP(cause, effect, what, remedy) { cause, effect, what, remedy },
#include "proto/record/gaps.def"
#undef GAP
	{ NULL, GAP_FILES, NULL, NULL },
};

const struct gap_kind *gap_kind(const char *cause)
{
	for (const struct gap_kind *k = gap_kinds; k->cause; k++)
		if (!strcmp(k->cause, cause))
			return k;
	return gap_kinds;
}

bool gaps_have(const struct freshness *f, enum gap_effect effect)
{
	for (size_t i = 0; f && i < f->gaps.n; i++)
		if (gap_kind(f->gaps.v[i].cause)->effect == effect)
			return true;
	return false;
}

static const char *noun(const struct gap *g, enum gap_effect effect)
{
	if (effect == GAP_HISTORY)
		return "";
	return g->number == 1 ? "path " : "paths ";
}

static void put(const struct gap *g, enum gap_effect effect, struct buf *out)
{
	if (out->n)
		buf_str(out, "; ");
	buf_printf(out, "%llu %s%s (%s)", (unsigned long long)g->number, noun(g, effect),
	    gap_kind(g->cause)->what, g->cause);
	if (text_is_set(g->example))
		buf_printf(out, ", e.g. %s", g->example);
}

const char *gaps_describe(const struct freshness *f, enum gap_effect effect, struct arena *a)
{
	const char *text = NULL;
	struct buf b = { 0 };

	for (size_t i = 0; f && i < f->gaps.n; i++)
		if (gap_kind(f->gaps.v[i].cause)->effect == effect)
			put(&f->gaps.v[i], effect, &b);
	if (b.n)
		text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

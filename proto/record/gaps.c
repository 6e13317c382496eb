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

static void put(const struct gap *g, const struct gap_kind *kind, struct buf *out)
{
	const char *one = "path", *many = "paths";

	if (out->n)
		buf_str(out, "; ");
	if (kind->effect == GAP_HISTORY) {
		buf_str(out, "the history before ");
		one = "commit";
		many = "commits";
	}
	buf_printf(out, "%llu %s (%s: %s)", (unsigned long long)g->number, g->number == 1 ? one : many,
	    g->cause, kind->what);
	if (text_is_set(g->example))
		buf_printf(out, ", e.g. %s", g->example);
}

const char *gaps_describe(const struct freshness *f, enum gap_effect effect, struct arena *a)
{
	const char *text = NULL;
	struct buf b = { 0 };

	for (size_t i = 0; f && i < f->gaps.n; i++)
		if (gap_kind(f->gaps.v[i].cause)->effect == effect)
			put(&f->gaps.v[i], gap_kind(f->gaps.v[i].cause), &b);
	if (b.n)
		text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

const char *gaps_remedy(const struct freshness *f, enum gap_effect effect)
{
	for (size_t i = 0; f && i < f->gaps.n; i++)
		if (gap_kind(f->gaps.v[i].cause)->effect == effect)
			return gap_kind(f->gaps.v[i].cause)->remedy;
	return NULL;
}

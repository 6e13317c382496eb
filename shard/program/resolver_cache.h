#ifndef SHARD_PROGRAM_RESOLVER_CACHE_H
#define SHARD_PROGRAM_RESOLVER_CACHE_H
/*
 * Caches lookups while one file is resolved.  A result is reused only where a new lookup would
 * return the same: a result that was cut short by a limit of depth or steps, only if the same
 * depth and steps are left.  Its steps are counted again.  Its keys (resolver.h) are recorded
 * already, because they belong to the same file.
 *
 *   struct memo m = { .of = f, .what = MEMO_TYPE, .number = definition, .text = type };
 *   if (memo_find(l, &m))
 *           return m.value;
 *   return memo_store(l, &m, find_type(l, f, definition, m.text));
 */

#include "shard/program/name_resolution.h"

enum memo_kind {
	MEMO_SCOPE,
	MEMO_OUTER,
	MEMO_TOP,
	MEMO_PACKAGE,
	MEMO_STAR_IMPORT,
	MEMO_EXPORT,
	MEMO_LOCAL,
	MEMO_TYPE,
	MEMO_MEMBER,
	MEMO_MODULE,
	MEMO_IMPORT
};

struct memo {
	/* the lookup */
	const void *of, *also;
	const char *text;		/* or NULL */
	enum memo_kind what;
	int number;

	/* its result */
	struct resolved_value value;
	const char *default_name;
	int depth, steps, steps_used;	/* at the lookup; the steps that it took */
	bool limit_reached;		/* a limit cut it short */
	uint32_t hash;
};

/*
 * Whether the lookup is cached; then the result is m->value.  Otherwise m->text becomes a copy in
 * the resolver's arena.  Repeat the lookup with that text, and pass the result to memo_store, which
 * returns it.
 */
bool memo_find(struct name_resolver *, struct memo *m);
struct resolved_value memo_store(struct name_resolver *, struct memo *m, struct resolved_value);
#endif

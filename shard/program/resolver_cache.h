#ifndef SHARD_PROGRAM_RESOLVER_CACHE_H
#define SHARD_PROGRAM_RESOLVER_CACHE_H
/*
 * What was found before, while one file is resolved.  An answer is used again only where looking
 * again would give the same: one that a limit of depth or steps had a part in, only with as many
 * of both left.  Its steps are counted again.  Keys need not be left again (resolver.h): they are
 * of the same file.
 *
 *   struct memo m = { .of = f, .what = MEMO_TYPE, .number = definition, .text = type };
 *   return memo_find(l, &m) ? m.value : memo_store(l, &m, look_for_it(l, f, definition, m.text));
 */

#include "shard/program/name_resolution.h"

enum memo_kind {
	MEMO_SCOPE, MEMO_OUTER, MEMO_TOP, MEMO_PACKAGE, MEMO_STAR_IMPORT, MEMO_EXPORT, MEMO_LOCAL,
	    MEMO_TYPE, MEMO_MEMBER,
	MEMO_MODULE, MEMO_IMPORT
};

struct memo {
	/* what is asked */
	const void *of, *also;
	const char *text;		/* NULL: nothing */
	enum memo_kind what;
	int number;

	/* and answered */
	struct resolved_value value;
	const char *default_name;
	int depth, steps, steps_used;	/* where it was asked; steps that it took */
	bool limit_reached;			/* a limit had a part in it */
	uint32_t hash;
};

/*
 * Whether it is known: m->value.  Else `m->text` is a copy that lives as long as the look's arena,
 * and memo_store is to be given what was found with that; it returns it.
 */
bool memo_find(struct name_resolver *, struct memo *m);
struct resolved_value memo_store(struct name_resolver *, struct memo *m, struct resolved_value);
#endif

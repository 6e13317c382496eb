#ifndef SHARD_FACTS_QUALIFIED_NAME_H
#define SHARD_FACTS_QUALIFIED_NAME_H
/*
 * Qualified names have at most QUALIFIED_MAX bytes, so that what is stored, shown and kept in
 * memory for a file does not grow with the square of its depth.  A longer name keeps its beginning
 * and its own name; a hash of all names around stands for those between:
 *
 *   a.b.c.~5e4d0aa3c31f7e29.own
 *
 * Equal names stay equal, different ones different, and the last part is always the definition's
 * own name, so that such a name is looked up like any other.
 */

struct arena;

enum {
	QUALIFIED_MAX = 500,	/* bytes; no name in known code is as long */
	QUALIFIED_BEGINNING = 200,	/* how much of a longer name is kept at most */
	QUALIFIED_ROOM = QUALIFIED_MAX + 1
};

/* The qualified name of `name` inside `around`, in the arena. */
const char *qualified_join(struct arena *, const char *around, const char *name);

/*
 * The same, to look it up.  A name that is itself longer than a qualified name can be, and which
 * therefore no definition has, is cut.
 */
void qualified_join_to(char out[QUALIFIED_ROOM], const char *around, const char *name);
#endif

#ifndef PROTO_TEXT_YAML_FLAT_H
#define PROTO_TEXT_YAML_FLAT_H
/* YAML (and so JSON) as a list of scalars, each with its path from the root: `a.b[0].c`. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

struct flat_entry {
	const char *key, *value;
	uint32_t line;
};

/*
 * Call `each` with the entries of each document; strings live in the arena, the array only during
 * the call.  0, or -1 with INVALID_INPUT, `line N: …`, for invalid YAML or beyond the budget
 * (budget.h); `each` was then called for the documents before.
 */
int flat_read(const char *text, size_t n, struct arena *,
    void (*each)(void *, const struct flat_entry *, size_t n), void *arg, struct err *);

/*
 * What a value must be: any text; a name, host or host:port; a path that begins with a slash; a
 * method; host[:port][/path] or a URL.
 */
enum flat_kind { FLAT_TEXT, FLAT_NAME, FLAT_PATH, FLAT_METHOD, FLAT_TARGET };

/* A key that a file may contain, `a[].b`; with `must`, every element of its list needs it. */
struct flat_rule {
	const char *key;
	enum flat_kind kind;
	bool must;
};

/* 0 if all keys and values follow the rules; -1 with INVALID_INPUT, naming file, line and key. */
int flat_check(const char *file, const struct flat_entry *, size_t n, const struct flat_rule *,
    size_t nrules, struct err *);

/* The value of `list[i].name`, or NULL if there is none.  Sets *line, if not NULL, to its line. */
const char *flat_get(const struct flat_entry *, size_t n, const char *list, size_t i,
    const char *name, uint32_t *line);

/* The number of elements of a list, from the highest index in it. */
size_t flat_count(const struct flat_entry *, size_t n, const char *list);
#endif

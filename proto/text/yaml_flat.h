#ifndef PROTO_TEXT_YAML_FLAT_H
#define PROTO_TEXT_YAML_FLAT_H
/* YAML (and so JSON) as a list: every plain value by its way from the root, `a.b[0].c`. */

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
 * Call `each` with what each document says; strings live in the arena, the array only during the
 * call.  0, or -1 with INVALID_INPUT, `line N: …`, at a fault, or beyond the budget (budget.h);
 * the documents before it were told.
 */
int flat_read(const char *text, size_t n, struct arena *,
    void (*each)(void *, const struct flat_entry *, size_t n), void *arg, struct err *);

/*
 * What a value must be: any text; a name, host or host:port; a path with a slash in front; a
 * method; host[:port][/path] or a URL.
 */
enum flat_kind { FLAT_TEXT, FLAT_NAME, FLAT_PATH, FLAT_METHOD, FLAT_TARGET };

/* A key that a file may have, `a[].b`; `must`: every element of its list has it. */
struct flat_rule {
	const char *key;
	enum flat_kind kind;
	bool must;
};

/*
 * Whether all keys and values are such; -1 with INVALID_INPUT naming file, line, key and what
 * helps.
 */
int flat_check(const char *file, const struct flat_entry *, size_t n, const struct flat_rule *,
    size_t nrules, struct err *);

/* The value of `list[i].name`; NULL: there is none.  *line, when not NULL, gets its line. */
const char *flat_get(const struct flat_entry *, size_t n, const char *list, size_t i,
    const char *name, uint32_t *line);

/* How many elements the list has: a fault in numbering ends them. */
size_t flat_count(const struct flat_entry *, size_t n, const char *list);
#endif

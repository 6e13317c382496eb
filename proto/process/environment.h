#ifndef PROTO_PROCESS_ENVIRONMENT_H
#define PROTO_PROCESS_ENVIRONMENT_H
/* The environment of a child process: the variables that environment.def allows, and others. */

#include <stdbool.h>
#include <stddef.h>

enum environment_recipient {
	ENVIRONMENT_GIT,
	ENVIRONMENT_CTAGS,
	ENVIRONMENT_PROGRAM,
	ENVIRONMENT_PARSER,
	ENVIRONMENT_CLIENT,
};

struct environment {
	char **v;			/* `NAME=value`, NULL-terminated, as exec takes it */
	size_t n, cap;
};

/* Whether environment.def allows `NAME=value`. */
bool environment_allows(enum environment_recipient, const char *entry);

/* Whether `NAME=value` has this name.  A name that ends in * matches all with that prefix. */
bool environment_name_matches(const char *name, const char *entry);

/* The allowed variables of this process.  The caller frees them with environment_free. */
struct environment environment_new(enum environment_recipient);
void environment_free(struct environment *);

/* Copy one more variable of this process, if it is set. */
void environment_inherit(struct environment *, const char *name);

/* The value of a variable, borrowed, or NULL. */
const char *environment_get(const struct environment *, const char *name);

/* Set a variable; environment_default only if it is not set yet. */
void environment_set(struct environment *, const char *name, const char *value);
void environment_default(struct environment *, const char *name, const char *value);
#endif

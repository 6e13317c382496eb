#ifndef PROTO_PROCESS_ENVIRONMENT_H
#define PROTO_PROCESS_ENVIRONMENT_H
/* The environment of a program that we start: what environment.def lets through, and more. */

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
	char **v;			/* `NAME=value`, NULL-terminated: what exec takes */
	size_t n, cap;
};

/* Whether `NAME=value` is let through. */
bool environment_allows(enum environment_recipient, const char *entry);

/* Whether `NAME=value` has that name; one that ends in * stands for all that begin so. */
bool environment_name_matches(const char *name, const char *entry);

/* What is let through of our own; the caller ends it by environment_free. */
struct environment environment_new(enum environment_recipient);
void environment_free(struct environment *);

/* Let one more variable through, where it is set. */
void environment_inherit(struct environment *, const char *name);

/* The value of a variable, borrowed, or NULL. */
const char *environment_get(const struct environment *, const char *name);

/* Set a variable, whatever it was; or only where it is not set. */
void environment_set(struct environment *, const char *name, const char *value);
void environment_default(struct environment *, const char *name, const char *value);
#endif

#ifndef SHARD_FRAMEWORK_H
#define SHARD_FRAMEWORK_H
/* The query files of a language, lang/<folder>/routes/: one framework each, or a part of one. */

#include "shard/query.h"

struct arena;
struct embedded;
struct err;
struct rules;

/* What a capture says; lang/README.md explains each. */
enum role { SITE, PATH, METHOD, HANDLER, PREFIX, SCOPE, BIND, OBJECT, NROLES };

extern const char *const roles[NROLES];

enum { FRAMEWORK_NEEDS = 6 };

struct framework {
	const char *name, *side, *kind;
	const char *only;		/* the language's folder, of several that share the file; NULL: all */
	const char *needs[FRAMEWORK_NEEDS];	/* one of these must be in the text; none: always run */
	const struct embedded *file;
	const TSLanguage *grammar;
	struct query *query;		/* NULL until it is needed: compiling takes milliseconds */
	bool broken;
	bool again;			/* a file before it has the same name: they run together */
	struct framework *next;
};

/* The frameworks of a language, in `*first`, living in the arena; -1 with INTERNAL naming the file. */
int frameworks_load(const struct rules *, struct arena *, struct framework **first, struct err *);

/* Make f->query; -1 with INTERNAL naming the file and the line, the first time. */
int framework_compile(struct framework *f, struct err *);

/* Whether two files are of one framework, so that their matches belong together. */
bool framework_twins(const struct framework *, const struct framework *);

/* Whether the text holds one of the words without which the framework is not in it. */
bool framework_needed(const struct framework *, const struct tree *);
#endif

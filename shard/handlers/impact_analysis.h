#ifndef SHARD_HANDLERS_IMPACT_ANALYSIS_H
#define SHARD_HANDLERS_IMPACT_ANALYSIS_H
/* What a change can affect: a walk from what changes, the routes that this reaches, and what the graph cannot tell. */

#include "proto/record/record.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/served_routes.h"

struct arena;
struct db;
struct err;
struct reader;

enum { AFFECTED_MOST = 20000 };	/* nodes of a walk */

struct affected {
	struct walk walk;		/* direction, depth, min and most are the caller's */
	struct { struct serving *v; size_t n, cap; } starts;

	struct routes routes;
	struct reach reach;
};

/* Begin also at this definition, and at what it holds: who uses a method uses its type.  `qualified` may be NULL. */
int affected_start(struct affected *, struct db *, struct node, const char *qualified, const char *path, struct arena *,
    struct err *);

/* Walk, count, and find the routes.  affected_free ends it. */
int affected_find(struct affected *, struct db *, struct arena *, struct err *);
void affected_free(struct affected *);

/* Why there may be more than was found; `target`: whose name is looked for in files that no edge explains, or NULL. */
int affected_reasons(const struct affected *, struct reader *, const struct symbol *target, struct strs *out,
    struct arena *, struct err *);
#endif

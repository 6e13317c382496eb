#ifndef SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
/*
 * The parts of answers: facts that there are and become (answers), who answers (answers_find), GraphQL (answers_graphql), the table
 * of conditions (answers_rows).
 */

#include <stdbool.h>

#include "proto/record/record.h"
#include "shard/contracts/crossfile/bind_handlers.h"
#include "shard/contracts/specs/operations.h"
#include "shard/program/program.h"

/* A fact that code gives. */
struct code_fact {
	struct fact fact;
	int64_t file;
};

/* An operation, and who answers it. */
struct answer {
	struct operation o;
	int64_t file;			/* the document */
	const char *path;		/* of the document */
	const struct sym **v;		/* who may */
	size_t n, cap;
	const struct sym *by;		/* who does; NULL: nobody is known */
	const struct fact *method;	/* the gRPC method that does, or what starts its gateway; NULL */
	int64_t method_file;
	bool documented;		/* nobody is known, but the document is that of this service */
};

struct answer_row;

/* lang/answers.tab */
struct answer_table {
	struct answer_row *handlers;
	const char *services, *clients;	/* what manifests of servers hold, and of those who make clients of documents; |-separated */
	const char *schemas;	/* of servers that answer what their GraphQL schemas say */
	const char *ordinary;		/* segments of routes that nearly every server has; |-separated */
};

struct answers {
	struct db *db;
	const struct texts *texts;
	struct arena *a;
	struct world *w;
	struct answer *v;		/* by document and line */
	size_t n, cap;
	struct answer *graphql;		/* of the form `graphql` (graphql.h), in the same order */
	size_t ngraphql, graphql_cap;
	struct code_fact *code;		/* by file and line */
	size_t ncode, code_cap;
	struct answer_table table;
	struct map *manifests;		/* folder -> text of its manifests */
	int looked;			/* at definitions: nothing takes for ever */
	struct said_list *out;		/* facts so far */
	struct map *seen;		/* which of them, so that none is twice */
	struct err *e;
};

/* A definition as it stands. */
struct standing {
	uint32_t line, end_line;
	const char *signature;		/* NULL: none */
	bool generated;
};

/* ---- bind_handlers_find.c ---- */

/* Fill `by` or `method` of each. */
void answers_find(struct answers *);

/* Where a definition stands, in the arena; false: it is not there. */
bool answer_stands(struct answers *, const struct sym *, struct standing *out);

/* ---- bind_handlers_documented.c ---- */

/* After answers_find: set `documented`. */
void answers_document(struct answers *);

/* The folder of a document with a path below it, without `./` and with what `../` leaves out. */
const char *answer_below(struct answers *, const char *document, const char *path);

/* ---- bind_handlers_references.c ---- */

/* Put the operations of other files where paths refer to them. */
void answers_refer(struct answers *);

/* ---- bind_handlers_callers.c ---- */

/* The first call of a function of a generated file, as `out`; false: nobody calls it. */
bool answer_called(struct answers *, const struct sym *, struct fact *out, int64_t *file);

/* answer_call for each place that calls a function of a generated client; 0 or -1. */
int answers_callers(struct answers *);

/* ---- bind_handlers.c ---- */

/* A request that is made by calling a generated function, where that is done; `symbol` may be NULL. */
void answer_call(struct answers *, const struct answer *, int64_t file, const char *path, uint32_t line, const char *symbol);

/* A fact that rests on the file `owner` and stands in `file`, unless the same was said. */
void answer_say(struct answers *, int64_t owner, int64_t file, const struct fact *);

/* ---- bind_handlers_graphql.c ---- */

/* Say who answers and who asks for fields of root types. */
void answers_graphql(struct answers *);

/* ---- bind_handlers_table.c ---- */

/* Read lang/answers.tab into x->table; -1 with INTERNAL. */
int answer_table(struct answers *);

/* Whether a row fits a function that is called like the operation. */
bool answer_fits(struct answers *, const struct sym *, const struct standing *);

/* The texts of a folder's manifests, one after the other; "" when it has none. */
const char *answer_manifests(struct answers *, const char *dir);

/* The nearest folder above a file that has a manifest; NULL: none has. */
const char *answer_project(struct answers *, const char *path);

/* Whether the folder's manifests are those of a server that makes no clients of documents. */
bool answer_serves(struct answers *, const char *dir);

/* Whether they are those of a server that answers all that its GraphQL schemas say. */
bool answer_schema_serves(struct answers *, const char *dir);

/* Whether nearly every server has such a route: health, metrics, its own documentation. */
bool answer_ordinary(const struct answers *, const char *path);
#endif

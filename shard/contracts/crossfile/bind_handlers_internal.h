#ifndef SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
/*
 * The parts of answers: facts that there are and become (answers), who answers
 * (bind_handlers_find), GraphQL (bind_handlers_graphql), the table of conditions (answers_rows).
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
struct bound_operation {
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

struct handler_rule;

/* lang/answers.tab */
struct handler_table {
	struct handler_rule *handlers;
	/* what manifests of servers hold, and of those who make clients of documents; |-separated */
	const char *services, *clients;
	const char *schemas;	/* of servers that answer what their GraphQL schemas say */
	const char *ordinary;		/* segments of routes that nearly every server has; |-separated */
};

struct handler_binder {
	struct db *db;
	const struct text_source *texts;
	struct arena *a;
	struct program *w;
	struct bound_operation *v;		/* by document and line */
	size_t n, cap;
	/* of the form `graphql` (graphql.h), in the same order */
	struct bound_operation *graphql;
	size_t ngraphql, graphql_cap;
	struct code_fact *code;		/* by file and line */
	size_t ncode, code_cap;
	struct handler_table table;
	struct map *manifests;		/* folder -> text of its manifests */
	int definitions_examined;			/* at definitions: nothing takes for ever */
	struct bound_fact_list *out;		/* facts so far */
	struct map *seen;		/* which of them, so that none is twice */
	struct err *e;
};

/* A definition as it stands. */
struct definition_position {
	uint32_t line, end_line;
	const char *signature;		/* NULL: none */
	bool generated;
};

/* ---- bind_handlers_find.c ---- */

/* Fill `by` or `method` of each. */
void bind_handlers_find(struct handler_binder *);

/* Where a definition stands, in the arena; false: it is not there. */
bool bind_handlers_position(
    struct handler_binder *, const struct sym *, struct definition_position *out);

/* ---- bind_handlers_documented.c ---- */

/* After bind_handlers_find: set `documented`. */
void bind_handlers_mark_documented(struct handler_binder *);

/* The folder of a document with a path below it, without `./` and with what `../` leaves out. */
const char *bind_handlers_resolve_path(
    struct handler_binder *, const char *document, const char *path);

/* ---- bind_handlers_references.c ---- */

/* Put the operations of other files where paths refer to them. */
void bind_handlers_expand_references(struct handler_binder *);

/* ---- bind_handlers_callers.c ---- */

/* The first call of a function of a generated file, as `out`; false: nobody calls it. */
bool bind_handlers_first_call(
    struct handler_binder *, const struct sym *, struct fact *out, int64_t *file);

/* bind_handlers_put_call for each place that calls a function of a generated client; 0 or -1. */
int bind_handlers_callers(struct handler_binder *);

/* ---- bind_handlers.c ---- */

/*
 * A request that is made by calling a generated function, where that is done; `symbol` may be
 * NULL.
 */
void bind_handlers_put_call(struct handler_binder *, const struct bound_operation *, int64_t file,
    const char *path, uint32_t line, const char *symbol);

/* A fact that rests on the file `owner` and stands in `file`, unless the same was said. */
void bind_handlers_put_fact(
    struct handler_binder *, int64_t owner, int64_t file, const struct fact *);

/* ---- bind_handlers_graphql.c ---- */

/* Say who answers and who asks for fields of root types. */
void bind_handlers_graphql(struct handler_binder *);

/* ---- bind_handlers_table.c ---- */

/* Read lang/answers.tab into x->table; -1 with INTERNAL. */
int bind_handlers_load_table(struct handler_binder *);

/* Whether a row fits a function that is called like the operation. */
bool bind_handlers_rule_matches(
    struct handler_binder *, const struct sym *, const struct definition_position *);

/* The texts of a folder's manifests, one after the other; "" when it has none. */
const char *bind_handlers_manifests(struct handler_binder *, const char *dir);

/* The nearest folder above a file that has a manifest; NULL: none has. */
const char *bind_handlers_project(struct handler_binder *, const char *path);

/* Whether the folder's manifests are those of a server that makes no clients of documents. */
bool bind_handlers_is_server(struct handler_binder *, const char *dir);

/* Whether they are those of a server that answers all that its GraphQL schemas say. */
bool bind_handlers_is_graphql_server(struct handler_binder *, const char *dir);

/* Whether nearly every server has such a route: health, metrics, its own documentation. */
bool bind_handlers_is_common_route(const struct handler_binder *, const char *path);
#endif

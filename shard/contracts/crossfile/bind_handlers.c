#include "shard/contracts/crossfile/bind_handlers.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"
#include "shard/contracts/crossfile/crossfile.h"

/* ---- reading the index ---- */

/* The text of a column; NULL if it is empty. */
static const char *column(struct handler_binder *x, struct stmt *s, int i)
{
	const char *text = db_str(s, i);

	if (text && *text)
		return arena_str(x->a, text);
	return NULL;
}

static int load_operations(struct handler_binder *x)
{
	struct stmt *s = db_prep(x->db,
	    "select o.file, f.path, o.line, o.end_line, o.form, o.kind, o.method, o.path, o.bare,"
	    " o.name, o.owner, o.label, o.resource from operations o join files f on f.id = o.file"
	    " order by f.path, o.line, o.kind, o.method, o.path",
	    x->e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, x->e)) == 1) {
		struct bound_operation a = { .file = db_int(s, 0), .path = arena_str(x->a, db_str(s, 1)),
			.o = { .line = (uint32_t)db_int(s, 2), .end_line = (uint32_t)db_int(s, 3),
			    .form = column(x, s, 4),
			.kind = column(x, s, 5), .method = column(x, s, 6), .path = column(x, s, 7),
			.bare = column(x, s, 8), .name = column(x, s, 9), .owner = column(x, s, 10),
			.label = column(x, s, 11), .resource = column(x, s, 12) } };
		if (!strcmp(a.o.form, "graphql")) {
			x->graphql = grow(x->graphql, &x->graphql_cap, x->ngraphql + 1, sizeof a);
			x->graphql[x->ngraphql++] = a;
		} else {
			x->v = grow(x->v, &x->cap, x->n + 1, sizeof a);
			x->v[x->n++] = a;
		}
	}
	return rc;
}

static void code_add(struct handler_binder *x, struct code_fact c)
{
	if (c.fact.scope && !strcmp(c.fact.scope, SCOPE_GENERATED)) {
		x->generated = grow(x->generated, &x->generated_cap, x->ngenerated + 1, sizeof c);
		x->generated[x->ngenerated++] = c;
		return;
	}
	x->code = grow(x->code, &x->code_cap, x->ncode + 1, sizeof c);
	x->code[x->ncode++] = c;
}

static int load_code(struct handler_binder *x)
{
	struct stmt *s = db_prep(x->db,
	    "select c.file, c.fact from contracts c join files f on f.id = c.file where c.joined <> 3"
	    " order by f.path, c.line, c.fact",
	    x->e);
	int rc = 0;

	if (!s)
		return -1;
	while (!rc && (rc = db_step(s, x->e)) == 1) {
		size_t n;
		struct code_fact c = { .file = db_int(s, 0) };
		const void *bytes = db_blob(s, 1, &n), *copy = arena_strn(x->a, bytes, n);
		rc = codec_get(&rec_fact, &c.fact, copy, n, x->a, x->e);
		code_add(x, c);
	}
	return rc;
}

/*
 * Routes that code declares for functions in other files (emits: http.declares), as documents do.
 */
static void add_declared_routes(struct handler_binder *x)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (strcmp(f->side, "declares") || strcmp(f->kind, "http") || !f->symbol)
			continue;
		x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
		x->v[x->n++] = (struct bound_operation){ .file = x->code[i].file, .path = f->file,
		    .o = { .form = f->framework, .kind = "http",
			.method = f->method, .path = f->path, .name = f->symbol, .line = (uint32_t)f->line,
			    .end_line = (uint32_t)f->end_line } };
	}
}

/* Whether code has parts of facts that are made here. */
static bool has_parts(struct handler_binder *x)
{
	struct stmt *s = db_prep(
	    x->db, "select exists(select 1 from contracts where joined = 4)", x->e);
	bool speaks = false;

	while (s && db_step(s, x->e) == 1)
		speaks = db_int(s, 0) != 0;
	return speaks;
}

/* ---- what code registers itself ---- */

static bool serves(const struct fact *f)
{
	return !strcmp(f->side, "provides") && !strcmp(f->kind, "http");
}

bool bind_handlers_same_project(struct handler_binder *x, const char *a, const char *b)
{
	const char *p = bind_handlers_project(x, a), *q = bind_handlers_project(x, b);

	if (p && q)
		return !strcmp(p, q);
	return p == q;
}

/* Whether code of the document's project answers that very request. */
static bool has_method(const struct fact *f, const char *method)
{
	return !strcmp(f->method, method) || !strcmp(f->method, "ANY");
}

/* Whether code of the document's project serves the same request. */
static bool is_registered_by_code(struct handler_binder *x, const struct bound_operation *a)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (!serves(f) || strcmp(f->path, a->o.path) || !has_method(f, a->o.method))
			continue;
		if (bind_handlers_same_project(x, a->path, f->file))
			return true;
	}
	return false;
}

/* Whether code registers a route of the kind in these lines, or for this symbol. */
static bool lines_register_route(const struct handler_binder *x, int64_t file,
    const struct definition_position *at, const char *symbol, const char *kind)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (x->code[i].file != file || strcmp(f->side, "provides") || strcmp(f->kind, kind))
			continue;
		if (f->line >= at->line && f->line <= at->end_line)
			return true;
		if (f->symbol && !strcmp(f->symbol, symbol))
			return true;
	}
	return false;
}

/* Whether an operation matches all requests. */
static bool matches_all(const struct operation *o)
{
	if (strcmp(o->method, "ANY"))
		return false;
	return !strcmp(o->path, "/{*}") || !strcmp(o->path, "/");
}

/*
 * Whether a function that gets all requests passes them to the routes of a framework, or of a
 * document.
 */
static bool is_forwarder(struct handler_binder *x, const struct bound_operation *a)
{
	if (!matches_all(&a->o))
		return false;
	for (size_t i = 0; i < x->ncode; i++)
		if (serves(&x->code[i].fact) && bind_handlers_same_project(x, a->path, x->code[i].fact.file))
			return true;
	for (size_t i = 0; i < x->n; i++) {
		const struct bound_operation *other = &x->v[i];
		if (other->by && !strcmp(other->o.form, "openapi") && bind_handlers_same_project(x, a->path, other->path))
			return true;
	}
	return false;
}

/*
 * Whether an OpenAPI document has the routes of the function.  Generated code lacks the base of
 * their paths.
 */
static bool document_covers_handler(const struct handler_binder *x, const struct sym *by)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].by == by && !strcmp(x->v[i].o.form, "openapi"))
			return true;
	return false;
}

/* ---- facts ---- */

struct bound_fact {
	int64_t file, owner;
	uint64_t line;
	struct buf bytes;
};

struct bound_fact_list {
	struct bound_fact *v;
	size_t n, cap;
};

static void bound_facts_free(struct bound_fact_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		buf_free(&l->v[i].bytes);
	free(l->v);
}

static void append_bound_fact(
    struct bound_fact_list *l, int64_t owner, int64_t file, const struct fact *f)
{
	struct bound_fact s = { file, owner, f->line, { 0 } };

	codec_put(&rec_fact, f, &s.bytes);
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof s);
	l->v[l->n++] = s;
}

static const char *evidence(struct handler_binder *x, const struct bound_operation *a)
{
	const char *path = a->o.path;

	if (a->o.bare)
		path = a->o.bare;
	if (a->o.label)
		return arena_printf(x->a, "%s %s %s", a->o.method, path, a->o.label);
	return arena_printf(x->a, "%s %s", a->o.method, path);
}

static struct fact fact_of(struct handler_binder *x, const struct bound_operation *a)
{
	struct fact f = { .side = "provides", .kind = a->o.kind, .method = a->o.method,
	    .path = a->o.path, .framework = a->o.form,
		.raw = a->o.name, .file = a->path, .line = a->o.line, .end_line = a->o.line,
		    .symbol = a->o.label };

	f.steps.v = arena_one(x->a, struct step);
	f.steps.n = 1;
	f.steps.v[0] = (struct step){ .file = a->path, .line = a->o.line, .text = evidence(x, a) };
	return f;
}

/* Whether the same route was added before: a document may exist in two forms. */
static bool is_duplicate_route(struct handler_binder *x, int64_t file, const struct fact *f)
{
	void **at = map_at(x->seen,
	    arena_printf(x->a, "%lld %llu %s %s", (long long)file, (unsigned long long)f->line,
	        f->method, f->path));
	bool known = *at;

	*at = x;
	return known;
}

void bind_handlers_put_call(struct handler_binder *x, const struct bound_operation *a, int64_t file,
    const char *path, uint32_t line, const char *symbol)
{
	struct fact f = fact_of(x, a);

	f.side = "consumes";
	f.file = path;
	f.line = f.end_line = line;
	f.symbol = symbol;
	if (!is_duplicate_route(x, file, &f))
		append_bound_fact(x->out, a->file, file, &f);
}

void bind_handlers_put_fact(
    struct handler_binder *x, int64_t owner, int64_t file, const struct fact *f)
{
	if (!is_duplicate_route(x, file, f))
		append_bound_fact(x->out, owner, file, f);
}

/* Move the fact to the function that handles it; false: another fact has the route. */
static bool locate_handler(struct handler_binder *x, const struct bound_operation *a,
    const struct definition_position *at, struct fact *f)
{
	const struct source_file *by = &x->w->files[a->by->file];
	bool server = !strcmp(a->o.form, "openapi-server");

	if ((server || !strcmp(a->o.form, "openapi")) &&
	    lines_register_route(x, by->id, at, a->by->qualified, a->o.kind))
		return false;
	if (server && document_covers_handler(x, a->by))
		return false;
	f->file = by->path;
	f->symbol = a->by->qualified;
	f->line = f->end_line = at->line;
	return true;
}

static void put_handler_fact(struct handler_binder *x, const struct bound_operation *a)
{
	struct fact f = fact_of(x, a);
	struct definition_position at = { 0 };
	int64_t file = a->file;
	bool http = !strcmp(a->o.kind, "http");

	if (!strcmp(a->o.form, "openapi-client") || !strcmp(a->o.kind, "function"))
		return;
	if (http && (is_registered_by_code(x, a) || is_forwarder(x, a)))
		return;
	if (a->by && bind_handlers_position(x, a->by, &at)) {
		if (!locate_handler(x, a, &at, &f))
			return;
		file = x->w->files[a->by->file].id;
	} else if (a->method) {
		f.file = a->method->file;
		f.symbol = a->method->symbol;
		f.line = a->method->line;
		f.end_line = a->method->end_line;
		file = a->method_file;
	} else if (a->documented) {
		f.reason = "documented";
	} else if (strcmp(a->o.form, "sam") && strcmp(a->o.form, "serverless")) {
		return;
	}
	if (!is_duplicate_route(x, file, &f))
		append_bound_fact(x->out, a->file, file, &f);
}

/* Whether code of a file's project declares which functions have which routes. */
static bool declares_routes(struct handler_binder *x, const char *file)
{
	for (size_t i = 0; i < x->ncode; i++)
		if (!strcmp(x->code[i].fact.side, "declares") &&
		    bind_handlers_same_project(x, x->code[i].fact.file, file))
			return true;
	return false;
}

/*
 * Routes that follow from the paths of files (emits: http.files), unless code of the project
 * declares its routes.
 */
static void put_file_facts(struct handler_binder *x)
{
	for (size_t i = 0; i < x->ncode; i++) {
		struct fact f = x->code[i].fact;
		if (strcmp(f.side, "files") || strcmp(f.kind, "http") || declares_routes(x, f.file))
			continue;
		f.side = "provides";
		bind_handlers_put_fact(x, x->code[i].file, x->code[i].file, &f);
	}
}

/* ---- storing facts ---- */

static int by_fact(const void *a, const void *b)
{
	const struct bound_fact *x = a, *y = b;

	if (x->owner != y->owner)
		return compare_signed(x->owner, y->owner);
	if (x->file != y->file)
		return compare_signed(x->file, y->file);
	if (x->bytes.n != y->bytes.n)
		return compare_signed((int64_t)x->bytes.n, (int64_t)y->bytes.n);
	return memcmp(x->bytes.p, y->bytes.p, x->bytes.n);
}

static void sort(struct bound_fact_list *l)
{
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_fact);
}

static int load_bound_facts(struct handler_binder *x, struct bound_fact_list *out)
{
	struct stmt *s = db_prep(
	    x->db, "select file, owner, line, fact from contracts where joined = 3", x->e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, x->e)) == 1) {
		size_t n;
		const void *bytes = db_blob(s, 3, &n);
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		struct bound_fact *y = &out->v[out->n++];
		*y = (struct bound_fact){ db_int(s, 0), db_int(s, 1), (uint64_t)db_int(s, 2), { 0 } };
		buf_put(&y->bytes, bytes, n);
	}
	sort(out);
	return rc;
}

static bool same(const struct bound_fact_list *a, const struct bound_fact_list *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = !by_fact(&a->v[i], &b->v[i]);
	return same;
}

/* The owners of both, each once. */
static void owner_add(int64_t *v, size_t *n, int64_t owner)
{
	for (size_t k = 0; k < *n; k++)
		if (v[k] == owner)
			return;
	v[(*n)++] = owner;
}

/* The owners of the facts of both lists, each once. */
static void owners(
    const struct bound_fact_list *a, const struct bound_fact_list *b, int64_t **out, size_t *n)
{
	*out = xmalloc((a->n + b->n + 1) * sizeof **out);
	for (size_t i = 0; i < a->n; i++)
		owner_add(*out, n, a->v[i].owner);
	for (size_t i = 0; i < b->n; i++)
		owner_add(*out, n, b->v[i].owner);
}

static int put_all(struct handler_binder *x, const struct bound_fact_list *l)
{
	int rc = db_exec(x->db, "delete from contracts where joined = 3", x->e);

	for (size_t i = 0; !rc && i < l->n; i++)
		rc = db_run(x->db, x->e,
		    "insert into contracts(file, owner, line, fact, joined) values (?, ?, ?, ?, 3)", "iiib",
		    l->v[i].file, l->v[i].owner, (int64_t)l->v[i].line, l->v[i].bytes.p, l->v[i].bytes.n);
	return rc;
}

static int bind_documents(struct handler_binder *x)
{
	bind_handlers_expand_references(x);
	bind_handlers_complete_servers(x);
	bind_handlers_find(x);
	bind_handlers_mark_documented(x);
	for (size_t i = 0; i < x->n; i++)
		put_handler_fact(x, &x->v[i]);
	int rc = bind_handlers_callers(x);
	if (!rc)
		bind_handlers_put_generated(x);
	return rc;
}

static int find(struct handler_binder *x, struct bound_fact_list *out)
{
	int rc = load_code(x);

	x->out = out;
	x->seen = map_new();
	if (!rc)
		rc = bind_handlers_load_table(x);
	if (!rc)
		bind_handlers_graphql(x);
	add_declared_routes(x);
	put_file_facts(x);
	if (!rc && x->n)
		x->w = program_open(x->db, x->e);
	if (x->w)
		rc = bind_documents(x);
	map_free(x->seen);
	sort(out);
	if (x->e->code)
		return -1;
	return rc;
}

/* Read the operations and the facts that are stored, and find the facts that there should be. */
static int load_and_find(
    struct handler_binder *x, struct bound_fact_list *was, struct bound_fact_list *is)
{
	if (load_operations(x) || load_bound_facts(x, was))
		return -1;
	if (!x->n && !x->ngraphql && !has_parts(x))
		return 0;
	return find(x, is);
}

int bind_handlers_run(
    struct db *db, const struct text_source *texts, int64_t **changed, size_t *n, struct err *e)
{
	struct handler_binder x = {
		.db = db, .texts = texts, .a = arena_new(), .manifests = map_new(), .e = e
	};
	struct bound_fact_list was = { 0 }, is = { 0 };
	int rc = load_and_find(&x, &was, &is);

	if (!rc && !same(&was, &is)) {
		rc = put_all(&x, &is);
		if (changed)
			owners(&was, &is, changed, n);
	}
	for (size_t i = 0; i < x.n; i++)
		free(x.v[i].v);
	free(x.v);
	free(x.graphql);
	free(x.code);
	free(x.generated);
	map_free(x.manifests);
	program_free(x.w);
	bound_facts_free(&was);
	bound_facts_free(&is);
	arena_free(x.a);
	return rc;
}

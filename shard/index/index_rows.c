#include "shard/index/index_rows.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "proto/text/text_id.h"
#include "shard/base/text_lines.h"
#include "shard/contracts/file_routes.h"
#include "shard/contracts/specs/operations.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/graph_hash.h"
#include "shard/index/document_prior.h"
#include "shard/index/index_writer.h"
#include "shard/settings/settings.h"
#include "shard/storage/package_store.h"

const char *rows_valid_utf8(const char *s, struct arena *a)
{
	if (s)
		return text_utf8(s, strlen(s), a);
	return NULL;
}

/* Whether the file is a client or server that is generated from an OpenAPI document. */
static bool is_generated_openapi(const struct facts *f)
{
	static const char openapi[] = "openapi-";

	return f->operations.n && !strncmp(f->operations.v[0].form, openapi, strlen(openapi));
}

/*
 * Test code makes and has no contracts.  Of generated code only those of OpenAPI clients and
 * servers are kept, as parts of what bind_handlers makes.
 */
static void drop_facts_of_tests(struct facts *f, bool test, bool generated)
{
	if (!test && !generated)
		return;
	for (size_t i = 0; i < f->contracts.n; i++)
		f->contracts.v[i].scope = SCOPE_GENERATED;
	if (!test && is_generated_openapi(f))
		return;
	f->contracts.n = 0;
	f->packages.n = 0;
	f->open.sites = false;
	f->open.links = false;
	f->open.makes = NULL;	/* `binds` stays: names may lead to this file all the same */
	f->operations.n = 0;
}

struct row_file rows_describe_file(
    int64_t id, const struct indexed_file *x, struct facts *f, struct arena *a)
{
	struct row_file r = { .id = id,
		.path = rows_valid_utf8(x->path, a),
		.x = x,
		.f = f,
		.generated = x->generated || f->generated };

	r.prior = document_prior_of_file(false, x->language, r.path);
	drop_facts_of_tests(f, x->test, r.generated);
	f->contracts.n = file_routes(f->contracts.v, f->contracts.n, x->path, a);
	for (size_t i = 0; i < f->contracts.n; i++) {
		struct fact *c = &f->contracts.v[i];
		c->file = r.path;
		for (size_t k = 0; k < c->steps.n; k++)
			if (!c->steps.v[k].file)	/* facts of a blob know no path */
				c->steps.v[k].file = r.path;
	}
	return r;
}

static bool has_facts_to_resolve(const struct facts *f)
{
	return f->definitions.n || f->imports.n || f->references.n || f->bases.n || f->locals.n ||
	    f->package;
}

/* Stores what resolution needs from the file. */
static int put_facts(struct db *db, const struct row_file *r, struct err *e)
{
	struct buf bytes = { 0 };

	if (!has_facts_to_resolve(r->f))
		return 0;
	facts_encode(r->f, &bytes);
	int rc = db_run(
	    db, e, "insert or replace into facts values (?, ?)", "ib", r->id, bytes.p, bytes.n);
	buf_free(&bytes);
	return rc;
}

static int put_open_facts(struct db *db, const struct row_file *r, struct err *e)
{
	bool sites = r->f->open.sites, links = r->f->open.links;
	const char *makes = r->f->open.makes, *binds = r->f->open.binds;
	bool any = sites || links || makes || binds;

	if (!any)
		return 0;
	return db_run(db, e, "insert or replace into open values (?, ?, ?, ?, ?)", "iiiSS", r->id,
	    (int64_t)sites, (int64_t)links, makes, binds);
}

/* Stores the contract facts that are final; crossfile.h completes the others. */
static int put_contracts(struct db *db, const struct row_file *r, struct err *e)
{
	struct buf bytes = { 0 };
	int rc = put_open_facts(db, r, e);

	if (rc || r->f->open.sites)
		return rc;
	for (size_t i = 0; !rc && i < r->f->contracts.n; i++) {
		const struct fact *c = &r->f->contracts.v[i];
		bytes.n = 0;
		codec_put(&rec_fact, c, &bytes);
		rc = db_run(db, e,
		    "insert into contracts(file, owner, line, fact, joined) values (?, ?, ?, ?, ?)",
		    "iiibi", r->id, r->id, (int64_t)c->line, bytes.p, bytes.n, fact_joined(c, 0));
	}
	buf_free(&bytes);
	return rc;
}

int rows_count_contracts(struct db *db, int64_t *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select count(*) from contracts where joined <> 4", e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*out = db_int(s, 0);
	return rc;
}

static int put_settings(struct db *db, const struct row_file *r, struct arena *a, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < r->f->settings.n; i++) {
		const struct setting *s = &r->f->settings.v[i];
		rc = db_run(db, e, "insert into settings values (?, ?, ?, ?, ?)", "SiSSi",
		    settings_key(s->key, a), r->id, rows_valid_utf8(s->value, a),
		    rows_valid_utf8(s->service, a), (int64_t)s->line);
	}
	return rc;
}

static int put_operations(struct db *db, const struct row_file *r, struct arena *a, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < r->f->operations.n; i++) {
		const struct operation *o = &r->f->operations.v[i];
		rc = db_run(db, e, "insert into operations values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    "iiiSSSSSSSSS", r->id, (int64_t)o->line, (int64_t)o->end_line, o->form, o->kind,
		    o->method, rows_valid_utf8(o->path, a), rows_valid_utf8(o->bare, a),
		    rows_valid_utf8(o->name, a), rows_valid_utf8(o->owner, a), rows_valid_utf8(o->label, a),
		    rows_valid_utf8(o->resource, a));
	}
	return rc;
}

/*
 * The column `hash` is filled later, when other rows follow this one, so its space is allocated
 * now.
 */
int rows_put_file(struct db *db, const struct row_file *r, const unsigned char *nodes,
    struct arena *a, struct err *e)
{
	const struct indexed_file *x = r->x;

	if (db_run(db, e,
	        "insert or replace into files values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, zeroblob(32))",
	        "iSSSiiiiSb", r->id, r->path, x->blob, x->language, (int64_t)x->size,
	        (int64_t)r->f->lines, (int64_t)x->test, (int64_t)r->generated,
	        rows_valid_utf8(r->f->package, a), nodes, (size_t)GRAPH_HASH))
		return -1;
	if (put_facts(db, r, e))
		return -1;
	if (put_contracts(db, r, e))
		return -1;
	if (put_settings(db, r, a, e))
		return -1;
	if (put_operations(db, r, a, e))
		return -1;
	return packages_put(db, r->id, r->f->packages.v, r->f->packages.n, a, e);
}

int64_t *rows_ordinals(const struct facts *f, struct arena *a)
{
	int64_t *out = arena_many(a, f->definitions.n + 1, int64_t);
	struct map *seen = map_new();

	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		void **at = map_at(seen, arena_join_dotted(a, d->kind, d->qualified));
		out[i] = (int64_t)(intptr_t)*at;
		*at = (void *)((intptr_t)*at + 1);
	}
	map_free(seen);
	return out;
}

struct stored_symbols rows_symbols(
    const struct row_file *r, const int64_t *ids, const int64_t *ordinals, struct arena *a)
{
	struct stored_symbols out = { arena_many(a, r->f->definitions.n + 1, struct stored_symbol),
		r->f->definitions.n };

	for (size_t i = 0; i < out.n; i++) {
		const struct definition *d = &r->f->definitions.v[i];
		out.v[i] = (struct stored_symbol){
			.id = ids[i],
			.up = d->parent,
			.name = rows_valid_utf8(d->name, a),
			.qualified = rows_valid_utf8(d->qualified, a),
			.kind = d->kind,
			.signature = rows_valid_utf8(d->signature, a),
			.doc = rows_valid_utf8(d->doc, a),
			.start_line = d->start_line,
			.end_line = d->end_line,
			.start_byte = d->start_byte,
			.end_byte = d->end_byte,
			.exported = d->exported,
			.test = d->test || r->x->test,
			.ordinal = ordinals[i],
		};
	}
	return out;
}

struct stored_symbols rows_minors(const struct row_file *r, struct arena *a)
{
	struct stored_symbols out = { arena_many(a, r->f->minors.n + 1, struct stored_symbol),
		r->f->minors.n };

	for (size_t i = 0; i < out.n; i++) {
		const struct minor_name *m = &r->f->minors.v[i];
		const char *name = rows_valid_utf8(m->name, a);
		out.v[i] = (struct stored_symbol){
			.up = -1,
			.name = name,
			.qualified = name,
			.kind = m->kind,
			.start_line = m->start_line,
			.end_line = m->end_line,
			.start_byte = m->start_byte,
			.end_byte = m->end_byte,
			.test = r->x->test,
		};
	}
	return out;
}

static uint64_t hash_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 1099511628211u;
	return h ^ h >> 32;
}

/*
 * FNV-1a over a field and its length, eight bytes a step: byte by byte it took 1.4 % of the time to
 * index Java.
 */
static uint64_t hash_field(uint64_t h, const char *s, size_t n)
{
	uint64_t word;
	size_t i = 0;

	for (; i + sizeof word <= n; i += sizeof word) {
		memcpy(&word, s + i, sizeof word);
		h = hash_word(h, word);
	}
	word = 0;
	if (i < n)
		memcpy(&word, s + i, n - i);
	return hash_word(hash_word(h, word), n);
}

/* Six bytes of a row: enough to notice that a text is not the one that was indexed. */
enum { HASH_BITS = 48 };

static void set_field(struct posting_texts *t, enum posting_field field, const char *text)
{
	if (!text)
		return;
	t->field[field].p = text;
	t->field[field].n = strlen(text);
}

struct row_text rows_text(const struct row_file *r, const struct document *d)
{
	struct row_text t = { 0 };
	struct text_traits traits = { .lines = d->end_line - d->start_line + 1, .test = r->x->test };
	const char *qualified = NULL;
	uint64_t h = 14695981039346656037u;

	if (d->definition >= 0) {
		const struct definition *s = &r->f->definitions.v[d->definition];
		qualified = s->qualified;
		traits.kind = s->kind;
		traits.test |= s->test;
		traits.documented = s->doc != NULL;
		set_field(&t.texts, POSTING_NAME, s->qualified);
		set_field(&t.texts, POSTING_SIGNATURE, s->signature);
		set_field(&t.texts, POSTING_DOC, s->doc);
	}
	set_field(&t.texts, POSTING_PATH, r->path);
	t.texts.field[POSTING_BODY].p = d->body;
	t.texts.field[POSTING_BODY].n = d->nbody;
	t.prior = (uint8_t)document_prior_of_text(r->prior, &traits);
	for (size_t i = 0; i < POSTING_FIELDS; i++)
		h = hash_field(h, t.texts.field[i].p, t.texts.field[i].n);
	t.hash = (int64_t)((h ^ h >> HASH_BITS) & (((uint64_t)1 << HASH_BITS) - 1));
	t.id = text_id(r->x->blob, d->start_line, d->end_line, qualified);
	return t;
}

int rows_put_doc(struct db *db, const struct row_file *r, int64_t id, const struct document *d,
    int64_t hash, const int64_t *ids, struct err *e)
{
	int64_t lines = (int64_t)d->end_line - (int64_t)d->start_line, number = 0;

	if (d->definition >= 0)
		number = symbol_number(ids[d->definition]);
	return db_run(db, e, "insert or replace into documents values (?, ?, ?, ?, ?, ?)", "iiiiii", id,
	    r->id, number, (int64_t)d->start_line, lines, hash);
}

int rows_put_name(struct db *db, const char *name, struct arena *a, struct err *e)
{
	return db_run(db, e, "insert or ignore into names values (?)", "S", rows_valid_utf8(name, a));
}

int rows_put_skipped(struct db *db, const char *path, const char *reason, uint64_t size,
    struct arena *a, struct err *e)
{
	return db_run(db, e, "insert or replace into skipped values (?, ?, ?)", "SSi",
	    rows_valid_utf8(path, a), reason, (int64_t)size);
}

int rows_put_skips(struct db *db, struct err *e)
{
	/*
	 * The reason `yaml: more than 64 levels, line 7` of x.yaml is counted as `yaml: more than 64
	 * levels`, with the example x.yaml:7.
	 */
	return db_exec(db,
	    "delete from skips; insert into skips select reason, count(*), sum(size), min(path) from"
	    " (select case when at then substr(reason, 1, at - 1) else reason end reason, size,"
	    " case when at then path || ':' || substr(reason, at + 7) else path end path from"
	    " (select reason, size, path, case when reason glob '[a-z ]*: more than *, line [0-9]*'"
	    " then instr(reason, ', line ') else 0 end at"
	    " from skipped)) group by 1",
	    e);
}

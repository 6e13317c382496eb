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

const char *rows_valid_utf8(const char *s, struct arena *a)
{
	if (s)
		return text_utf8(s, strlen(s), a);
	return NULL;
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
	if (x->test || (r.generated && f->operations.n &&
	    strncmp(f->operations.v[0].form, "openapi-", strlen("openapi-"))))
		f->operations.n = 0;	/* of what is generated only clients and servers: others call and complete them */
	if (x->test || r.generated)
		f->contracts.n = f->packages.n = 0, f->open.sites = f->open.links = false,
		    f->open.makes = NULL;	/* names may lead there all the same */
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

/* What resolve needs of the file. */
static int put_facts(struct db *db, const struct row_file *r, struct err *e)
{
	const struct facts *f = r->f;
	struct buf bytes = { 0 };

	if (!f->definitions.n && !f->imports.n && !f->references.n && !f->bases.n && !f->locals.n &&
	    !f->package)
		return 0;
	facts_encode(f, &bytes);
	int rc = db_run(
	    db, e, "insert or replace into facts values (?, ?)", "ib", r->id, bytes.p, bytes.n);
	buf_free(&bytes);
	return rc;
}

/* Those that are final; the others are for crossfile.h. */
static int put_contracts(struct db *db, const struct row_file *r, struct err *e)
{
	struct buf bytes = { 0 };
	bool sites = r->f->open.sites, links = r->f->open.links;
	const char *makes = r->f->open.makes, *binds = r->f->open.binds;
	int rc = 0;

	if (sites || links || makes || binds)
		rc = db_run(db, e, "insert or replace into open values (?, ?, ?, ?, ?)", "iiiSS", r->id,
		    (int64_t)sites, (int64_t)links, makes, binds);
	for (size_t i = 0; !rc && !sites && i < r->f->contracts.n; i++) {
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
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		*out = db_int(s, 0);
		rc = 0;
	}
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

static int put_packages(struct db *db, const struct row_file *r, struct arena *a, struct err *e)
{
	struct buf bytes = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < r->f->packages.n; i++) {
		struct package p = r->f->packages.v[i];
		const char **texts[] = { &p.name, &p.range, &p.source, &p.path, &p.key };
		for (size_t k = 0; k < LEN(texts); k++)
			*texts[k] = rows_valid_utf8(*texts[k], a);
		bytes.n = 0;
		codec_put(&rec_package, &p, &bytes);
		rc = db_run(db, e, "insert into packages values (?, ?)", "ib", r->id, bytes.p, bytes.n);
	}
	buf_free(&bytes);
	return rc;
}

/* The hash has its room at once: what it is comes when other rows are behind this one. */
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
	if (put_facts(db, r, e) || put_contracts(db, r, e) || put_settings(db, r, a, e) ||
	    put_operations(db, r, a, e) || put_packages(db, r, a, e))
		return -1;
	return 0;
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
		out.v[i] = (struct stored_symbol){ .id = ids[i], .up = d->parent,
			.name = rows_valid_utf8(d->name, a), .qualified = rows_valid_utf8(d->qualified, a),
			    .kind = d->kind,
			.signature = rows_valid_utf8(d->signature, a), .doc = rows_valid_utf8(d->doc, a),
			    .start_line = d->start_line,
			.end_line = d->end_line, .start_byte = d->start_byte, .end_byte = d->end_byte,
			    .exported = d->exported,
			.test = d->test || r->x->test, .ordinal = ordinals[i] };
	}
	return out;
}

static uint64_t hash_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 1099511628211u;
	return h ^ h >> 32;
}

/*
 * FNV-1a over a field and its length, eight bytes a step: one at a time took 1.4 % of an index of
 * Java.
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

/* six bytes in a row; enough against a text that is not the one that was put in */
enum { HASH_BITS = 48 };

struct row_text rows_text(const struct row_file *r, const struct document *d)
{
	const struct definition *s = d->definition < 0 ? NULL : &r->f->definitions.v[d->definition];
	const char *const head[] = { s ? s->qualified : NULL, s ? s->signature : NULL,
		s ? s->doc : NULL, r->path };
	struct row_text t = { .prior = (uint8_t)document_prior_of_text(
		                      r->prior, s ? s->kind : NULL, r->x->test || (s && s->test)) };
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < LEN(head); i++)
		if (head[i]) {
			t.texts.field[POSTING_NAME + i].p = head[i];
			t.texts.field[POSTING_NAME + i].n = strlen(head[i]);
		}
	t.texts.field[POSTING_BODY].p = d->body;
	t.texts.field[POSTING_BODY].n = d->nbody;
	for (size_t i = 0; i < POSTING_FIELDS; i++)
		h = hash_field(h, t.texts.field[i].p, t.texts.field[i].n);
	t.hash = (int64_t)((h ^ h >> HASH_BITS) & (((uint64_t)1 << HASH_BITS) - 1));
	t.id = text_id(r->x->blob, d->start_line, d->end_line, s ? s->qualified : NULL);
	return t;
}

int rows_put_doc(struct db *db, const struct row_file *r, int64_t id, const struct document *d,
    int64_t hash, const int64_t *ids, struct err *e)
{
	return db_run(db, e, "insert or replace into documents values (?, ?, ?, ?, ?, ?)", "iiiiii", id,
	    r->id, d->definition < 0 ? (int64_t)0 : symbol_number(ids[d->definition]),
	    (int64_t)d->start_line, (int64_t)d->end_line - (int64_t)d->start_line, hash);
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
	 * `yaml: more than 64 levels, line 7` of x.yaml is one of `yaml: more than 64 levels`, e.g.
	 * x.yaml:7
	 */
	return db_exec(db,
	    "delete from skips; insert into skips select reason, count(*), sum(size), min(path) from"
	    " (select case when at then substr(reason, 1, at - 1) else reason end reason, size,"
	    " case when at then path || ':' || substr(reason, at + 7) else path end path from"
	    " (select reason, size, path, case when reason glob '[a-z ]*: more than *, line [0-9]*' then instr(reason, ', line ') else 0 end at"
	    " from skipped)) group by 1",
	    e);
}

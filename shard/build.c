#include "shard/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/crypto.h"
#include "proto/base/db.h"
#include "proto/base/embedded.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/codec.h"
#include "proto/msg.h"
#include "shard/facts.h"
#include "shard/facts_codec.h"
#include "shard/postings.h"
#include "shard/prior.h"
#include "shard/store.h"
#include "shard/symbol.h"
#include "shard/text.h"

enum { POSTINGS_MEMORY = 128 << 20 };	/* bytes of postings that are gathered before they are written */

struct build {
	char *dir, file[64], tmp[4200];
	struct db *db;
	struct arena *a;		/* of one file */
	struct map *files;		/* path -> struct known */
	struct arena *keep;
	struct postings *postings;
	struct buf lengths, priors;	/* of the documents, by id */
	struct index_info n;		/* counts so far */
	int64_t last_file, last_symbol, last_doc;
};

struct known {
	int64_t id;
	char nodes[SHA256_HEX];		/* hash of its definitions */
	struct crypto_hash *facts;	/* and of its contract facts, when it has any */
};

struct build *build_new(const char *dir, const struct index_info *info, struct err *e)
{
	struct build *b = calloc(1, sizeof *b);
	const char *schema = embedded_get("shard/schema.sql");

	if (!b)
		abort();
	b->a = arena_new();
	b->keep = arena_new();
	b->files = map_new();
	b->postings = postings_new();
	buf_put(&b->lengths, &(uint16_t){ 0 }, sizeof(uint16_t));	/* ids start at 1 */
	buf_byte(&b->priors, 0);
	b->dir = arena_str(b->keep, dir);
	snprintf(b->file, sizeof b->file, "%s", info->file);
	snprintf(b->tmp, sizeof b->tmp, "%s/%s.tmp", dir, info->file);
	unlink(b->tmp);
	if (!(b->db = db_open(b->tmp, DB_CREATE, e)) ||
	    db_exec(b->db, "pragma page_size=4096; pragma journal_mode=off; pragma synchronous=off;"
	    "pragma secure_delete=off; pragma cache_size=-16384; pragma locking_mode=exclusive", e) ||
	    db_exec(b->db, schema, e) ||
	    db_exec(b->db, "begin", e)) {
		err_add(e, "%s", b->tmp);
		build_free(b);
		return NULL;
	}
	return b;
}

void build_free(struct build *b)
{
	char none[SHA256_HEX];

	if (!b)
		return;
	db_close(b->db);
	if (*b->tmp)
		unlink(b->tmp);
	for (size_t i = 0; i < map_len(b->files); i++) {
		struct known *k = map_val(b->files, i);
		if (k->facts)
			crypto_hash_end(k->facts, none);
	}
	map_free(b->files);
	arena_free(b->keep);
	arena_free(b->a);
	postings_free(b->postings);
	buf_free(&b->lengths);
	buf_free(&b->priors);
	free(b);
}

static const char *clean(struct build *b, const char *s)
{
	return s ? text_utf8(s, strlen(s), b->a) : NULL;
}

/* One string into a hash, so that no two sequences of strings read the same. */
static void hash_str(struct crypto_hash *h, const char *s)
{
	crypto_hash_put(h, s ? s : "", s ? strlen(s) + 1 : 1);
}

static void hash_definition(struct crypto_hash *h, const struct definition *d)
{
	char numbers[80];

	hash_str(h, d->qualified);
	hash_str(h, d->name);
	hash_str(h, d->kind);
	hash_str(h, d->signature);
	hash_str(h, d->doc);
	snprintf(numbers, sizeof numbers, "%u %u %d %d %d", d->start_line, d->end_line, d->parent, d->exported, d->test);
	hash_str(h, numbers);
}

static void hash_nodes(const struct facts *f, char out[SHA256_HEX])
{
	struct crypto_hash *h = crypto_hash_new();

	for (size_t i = 0; i < f->definitions.n; i++)
		hash_definition(h, &f->definitions.v[i]);
	crypto_hash_end(h, out);
}

static int put_definition(struct build *b, const struct definition *d, int64_t first, bool test, struct err *e)
{
	const char *name = clean(b, d->name);
	int64_t parent = d->parent < 0 ? 0 : first + d->parent;

	return db_run(b->db, e, "insert into symbols values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?, ?, ?, ?)",
	    "iiSSSSSSiiiiiSii", ++b->last_symbol, b->last_file, name, symbol_key(name, b->a), clean(b, d->qualified),
	    d->kind, clean(b, d->signature), clean(b, d->doc), (int64_t)d->start_line, (int64_t)d->end_line,
	    parent, (int64_t)d->exported, (int64_t)(d->test || test), clean(b, d->type), (int64_t)d->start_byte,
	    (int64_t)d->end_byte);
}

static struct posting_texts texts_of(const struct document *d, const struct definition *s, const char *path)
{
	const char *const head[] = { s ? s->qualified : NULL, s ? s->signature : NULL, s ? s->doc : NULL, path };
	struct posting_texts t = { 0 };

	for (size_t i = 0; i < LEN(head); i++)
		if (head[i]) {
			t.field[POSTING_NAME + i].p = head[i];
			t.field[POSTING_NAME + i].n = strlen(head[i]);
		}
	t.field[POSTING_BODY].p = d->body;
	t.field[POSTING_BODY].n = d->nbody;
	return t;
}

static int put_document(struct build *b, const struct build_file *x, const char *path, const struct document *d,
    const struct facts *f, int64_t first, struct err *e)
{
	const struct definition *s = d->definition < 0 ? NULL : &f->definitions.v[d->definition];
	struct posting_texts t = texts_of(d, s, path);
	uint16_t length = postings_add(b->postings, ++b->last_doc, &t);
	int64_t symbol = s ? first + d->definition : 0;

	buf_put(&b->lengths, &length, sizeof length);
	buf_byte(&b->priors, (char)prior_of(x->test || (s && s->test), x->language));
	if (postings_size(b->postings) > POSTINGS_MEMORY && postings_write(b->postings, b->db, e))
		return -1;
	return db_run(b->db, e, "insert into docs values (?, ?, nullif(?, 0), ?, ?)", "iiiii", b->last_doc,
	    b->last_file, symbol, (int64_t)d->start_line, (int64_t)d->end_line);
}

/* What resolve needs of the file. */
static int put_facts(struct build *b, const struct facts *f, struct err *e)
{
	struct buf bytes = { 0 };

	if (!f->definitions.n && !f->imports.n && !f->references.n && !f->bases.n && !f->locals.n && !f->package)
		return 0;
	facts_encode(f, &bytes);
	int rc = db_run(b->db, e, "insert into facts values (?, ?)", "ib", b->last_file, bytes.p, bytes.n);
	buf_free(&bytes);
	return rc;
}

/* Generated code is known to the graph, but is nobody's search result. */
int build_put(struct build *b, const struct build_file *x, const struct facts *f, struct err *e)
{
	struct known *k = arena_one(b->keep, struct known);
	bool generated = x->generated || f->generated;
	int64_t first = b->last_symbol + 1;
	const char *path = clean(b, x->path);

	hash_nodes(f, k->nodes);
	k->id = ++b->last_file;
	*map_at(b->files, path) = k;
	b->n.files++;
	b->n.bytes += (int64_t)x->size;
	int rc = db_run(b->db, e, "insert into files values (?, ?, ?, ?, ?, ?, ?, ?, ?, '')", "iSSSiiiiS", b->last_file,
	    path, x->blob, x->language, (int64_t)x->size, (int64_t)f->lines, (int64_t)x->test, (int64_t)generated,
	    clean(b, f->package));
	rc = rc ? rc : put_facts(b, f, e);
	for (size_t i = 0; !rc && i < f->definitions.n; i++)
		rc = put_definition(b, &f->definitions.v[i], first, x->test, e);
	for (size_t i = 0; !rc && !generated && i < f->documents.n; i++)
		rc = put_document(b, x, path, &f->documents.v[i], f, first, e);
	arena_reset(b->a);
	return rc;
}

int build_fact(struct build *b, const struct fact *f, struct err *e)
{
	struct known *k = f->file ? map_get(b->files, f->file) : NULL;
	struct buf bytes = { 0 };

	if (!k)
		return 0;
	codec_put(&rec_fact, f, &bytes);
	if (!k->facts)
		k->facts = crypto_hash_new();
	crypto_hash_put(k->facts, bytes.p, bytes.n);
	b->n.contracts++;
	int rc = db_run(b->db, e, "insert into contracts(file, line, fact) values (?, ?, ?)", "iib", k->id, (int64_t)f->line,
	    bytes.p, bytes.n);
	buf_free(&bytes);
	return rc;
}

int build_name(struct build *b, const char *name, struct err *e)
{
	int rc = db_run(b->db, e, "insert or ignore into names values (?)", "S", clean(b, name));

	arena_reset(b->a);
	return rc;
}

int build_skip(struct build *b, const char *reason, uint64_t files, uint64_t bytes, const char *example, struct err *e)
{
	int rc = db_run(b->db, e, "insert into skips values (?, ?, ?, ?)", "SiiS", reason, (int64_t)files,
	    (int64_t)bytes, clean(b, example));

	arena_reset(b->a);
	return rc;
}

/* File hashes into `files`, and graph_hash over (path, file hash) in order of path. */
static int hash_graph(struct build *b, char out[SHA256_HEX], struct err *e)
{
	struct crypto_hash *graph = crypto_hash_new();
	char hex[SHA256_HEX];
	int rc = 0;

	for (size_t i = 0; !rc && i < map_len(b->files); i++) {
		struct known *k = map_val(b->files, i);
		struct crypto_hash *h = crypto_hash_new();
		hash_str(h, k->nodes);
		if (k->facts) {
			crypto_hash_end(k->facts, hex);
			k->facts = NULL;
			hash_str(h, hex);
		}
		crypto_hash_end(h, hex);
		hash_str(graph, map_key(b->files, i));
		hash_str(graph, hex);
		rc = db_run(b->db, e, "update files set hash = ? where id = ?", "Si", hex, k->id);
	}
	crypto_hash_end(graph, out);
	return rc;
}

static int put_ranking(struct build *b, struct err *e)
{
	return db_run(b->db, e, "insert into ranking values (?, ?)", "bb", b->lengths.p, b->lengths.n, b->priors.p, b->priors.n);
}

int build_publish(struct build *b, struct index_info *info, struct err *e)
{
	info->files = b->n.files;
	info->bytes = b->n.bytes;
	info->contracts = b->n.contracts;
	info->symbols = b->last_symbol;
	info->documents = b->last_doc;
	info->schema = SCHEMA_VERSION;
	info->extractor = EXTRACTOR_VERSION;
	clock_iso(info->indexed_at);
	if (postings_write(b->postings, b->db, e) || put_ranking(b, e) || hash_graph(b, info->graph_hash, e) ||
	    store_put_info(b->db, info, e) ||
	    db_exec(b->db, "commit;"
	    "create unique index files_path on files (path);"
	    "create index symbols_key on symbols (key);"
	    "create index symbols_file on symbols (file);"
	    "create index edges_from on edges (file, source);"
	    "create index edges_to on edges (target_file, target);"
	    "create index docs_symbol on docs (symbol) where symbol is not null;"
	    "create index contracts_file on contracts (file, line);", e))
		return err_add(e, "%s", b->tmp);
	db_close(b->db);
	b->db = NULL;
	if (store_publish(b->dir, b->file, e))
		return -1;
	*b->tmp = 0;
	return 0;
}

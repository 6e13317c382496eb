#include "shard/index/index_writer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "proto/record/record.h"
#include "shard/contracts/crossfile/bind_handlers.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/facts/facts.h"
#include "shard/graph/edge_resolution.h"
#include "shard/graph/graph_hash.h"
#include "shard/index/index_gaps.h"
#include "shard/index/index_rows.h"
#include "shard/index/index_store.h"
#include "shard/index/left_out_names.h"
#include "shard/index/postings.h"
#include "shard/index/scip_sources.h"
#include "shard/program/program.h"

/* bytes of postings in memory before they are written */
enum { POSTINGS_MEMORY = 128 << 20 };
enum { TERMS = 50 };			/* written at a time while other threads resolve */

struct index_writer {
	char dir[4096], file[64], tmp[4200];
	struct db *db;
	struct arena *a;		/* for one file */
	struct postings *postings;
	/* of the documents, by id, for the table `ranking` */
	struct buf lengths, priors, doc_files, ids, hashes;
	struct buf keys, minor_keys;	/* for symbols_put */
	struct buf files, names, first, nodes;	/* for struct graph_node_hashes */
	size_t nscips;
	int64_t nleft_out;		/* files of which only the names are stored */
	struct program *program;		/* what resolution needs from the files */
	struct index_info n;		/* counts so far */
};

static int create_db(struct index_writer *b, struct err *e)
{
	b->db = db_open(b->tmp, DB_CREATE, e);
	if (!b->db)
		return -1;
	if (db_exec(b->db,
	        "pragma page_size=4096; pragma journal_mode=off; pragma synchronous=off;"
	        "pragma secure_delete=off; pragma cache_size=-16384; pragma locking_mode=exclusive",
	        e))
		return -1;
	if (db_exec(b->db, embedded_contents("shard/index/schema.sql"), e))
		return -1;
	if (symbols_register_table(b->db, e))
		return -1;
	return db_exec(b->db, "begin", e);
}

struct index_writer *index_writer_new(const char *dir, const struct index_info *info, struct err *e)
{
	struct index_writer *b = xcalloc(1, sizeof *b);

	b->a = arena_new();
	b->postings = postings_new();
	snprintf(b->dir, sizeof b->dir, "%s", dir);
	snprintf(b->file, sizeof b->file, "%s", info->file);
	snprintf(b->tmp, sizeof b->tmp, "%s/%s.tmp", dir, info->file);
	unlink(b->tmp);
	/* ids of documents and files start at 1 */
	buf_put(&b->lengths, (uint16_t[]){ 0 }, sizeof(uint16_t));
	buf_byte(&b->priors, 0);
	buf_put(&b->doc_files, (uint32_t[]){ 0 }, sizeof(uint32_t));
	buf_put(&b->ids, (uint64_t[]){ 0 }, sizeof(uint64_t));
	buf_put(&b->hashes, (uint32_t[]){ 0 }, sizeof(uint32_t));
	buf_put(&b->first, (size_t[]){ 0 }, sizeof(size_t));
	buf_put(&b->files, (uint64_t[]){ 0 }, sizeof(uint64_t));
	buf_put(&b->nodes, (unsigned char[GRAPH_HASH]){ 0 }, GRAPH_HASH);
	b->program = program_new(e);
	if (b->program && !create_db(b, e))
		return b;
	err_add(e, "%s", b->tmp);
	index_writer_free(b);
	return NULL;
}

struct db *index_writer_db(struct index_writer *b)
{
	return b->db;
}

void index_writer_free(struct index_writer *b)
{
	if (!b)
		return;
	db_close(b->db);
	if (*b->tmp)
		unlink(b->tmp);
	arena_free(b->a);
	postings_free(b->postings);
	program_free(b->program);
	buf_free(&b->lengths);
	buf_free(&b->priors);
	buf_free(&b->doc_files);
	buf_free(&b->ids);
	buf_free(&b->hashes);
	buf_free(&b->files);
	buf_free(&b->names);
	buf_free(&b->first);
	buf_free(&b->nodes);
	buf_free(&b->keys);
	buf_free(&b->minor_keys);
	free(b);
}

static int put_document(struct index_writer *b, const struct row_file *r, const struct document *d,
    const int64_t *ids, struct err *e)
{
	struct row_text t = rows_text(r, d);
	uint16_t length = postings_add(b->postings, ++b->n.documents, &t.texts);
	uint32_t file = (uint32_t)r->id, hash = (uint32_t)t.hash;

	buf_put(&b->lengths, &length, sizeof length);
	buf_byte(&b->priors, (char)t.prior);
	buf_put(&b->doc_files, &file, sizeof file);
	buf_put(&b->ids, &t.id, sizeof t.id);
	buf_put(&b->hashes, &hash, sizeof hash);
	if (postings_memory_bytes(b->postings) > POSTINGS_MEMORY &&
	    postings_write(b->postings, b->db, e))
		return -1;
	return rows_put_doc(b->db, r, b->n.documents, d, t.hash, ids, e);
}

static int put_symbols(
    struct index_writer *b, const struct row_file *r, int64_t *ids, struct err *e)
{
	const int64_t *ordinals = rows_ordinals(r->f, b->a);
	uint64_t file = graph_hash_node(r->path, NULL, NULL, 0);
	size_t first = b->names.n / sizeof(uint64_t);

	for (size_t i = 0; i < r->f->definitions.n; i++)
		ids[i] = symbol_id(r->id, (int64_t)i + 1);
	struct stored_symbols s = rows_symbols(r, ids, ordinals, b->a);
	buf_put(&b->first, &first, sizeof first);
	buf_put(&b->files, &file, sizeof file);
	for (size_t i = 0; i < s.n; i++) {
		uint64_t name = graph_hash_node(r->path, s.v[i].qualified, s.v[i].kind, s.v[i].ordinal);
		buf_put(&b->names, &name, sizeof name);
	}
	b->n.symbols += (int64_t)s.n;
	if (symbols_put(b->db, r->id, SYMBOLS_MAJOR, &s, &b->keys, e))
		return -1;
	s = rows_minors(r, b->a);
	return symbols_put(b->db, r->id, SYMBOLS_MINOR, &s, &b->minor_keys, e);
}

int index_writer_add_file(
    struct index_writer *b, const struct indexed_file *x, struct facts *f, struct err *e)
{
	struct row_file r = rows_describe_file(++b->n.files, x, f, b->a);
	int64_t *ids = arena_many(b->a, f->definitions.n + 1, int64_t);
	unsigned char nodes[GRAPH_HASH];

	graph_hash_nodes(f, nodes);
	buf_put(&b->nodes, nodes, sizeof nodes);
	int rc = rows_put_file(b->db, &r, nodes, b->a, e);
	if (!rc)
		rc = put_symbols(b, &r, ids, e);
	program_add_file(b->program,
	    &(struct source_file_info){
	        r.id, r.path, x->language, rows_valid_utf8(f->package, b->a), x->test, 0 },
	    f);
	b->n.bytes += (int64_t)x->size;
	for (size_t i = 0; !rc && !r.generated && i < f->documents.n; i++)
		rc = put_document(b, &r, &f->documents.v[i], ids, e);
	arena_reset(b->a);
	return rc;
}

int index_writer_add_left_out(
    struct index_writer *b, const struct indexed_file *x, const struct facts *f, struct err *e)
{
	int64_t id = b->n.files + ++b->nleft_out;
	int rc = left_out_names_put(b->db, id, x, f, &b->minor_keys, b->a, e);

	arena_reset(b->a);
	return rc;
}

int index_writer_add_repo_name(struct index_writer *b, const char *name, struct err *e)
{
	int rc = rows_put_name(b->db, name, b->a, e);

	arena_reset(b->a);
	return rc;
}

int index_writer_add_skip(
    struct index_writer *b, const char *path, const char *reason, uint64_t size, struct err *e)
{
	int rc = rows_put_skipped(b->db, path, reason, size, b->a, e);

	arena_reset(b->a);
	return rc;
}

int index_writer_add_rule(struct index_writer *b, const char *path, const char *blob, struct err *e)
{
	return db_run(b->db, e, "insert or replace into rules values (?, ?)", "SS", path, blob);
}

int index_writer_add_scip(struct index_writer *b, const char *path, const char *blob, struct err *e)
{
	b->nscips++;
	return db_run(b->db, e, "insert into scips values (?, ?)", "SS", path, blob);
}

static int put_ranking(struct index_writer *b, struct err *e)
{
	int rc = 0;

	for (size_t at = 0; !rc && at < b->priors.n; at += RANKING_ROW_DOCS) {
		size_t n = MIN(b->priors.n - at, RANKING_ROW_DOCS);
		rc = db_run(b->db, e, "insert into ranking values (?, ?, ?, ?, ?, ?)", "ibbbbb",
		    (int64_t)(at / RANKING_ROW_DOCS), b->lengths.p + at * sizeof(uint16_t),
		    n * sizeof(uint16_t), b->priors.p + at, n, b->doc_files.p + at * sizeof(uint32_t),
		    n * sizeof(uint32_t), b->ids.p + at * sizeof(uint64_t), n * sizeof(uint64_t),
		    b->hashes.p + at * sizeof(uint32_t), n * sizeof(uint32_t));
	}
	return rc;
}

static int put_indexes(struct index_writer *b, struct err *e)
{
	return db_exec(b->db,
	    "create unique index files_path on files (path);"
	    "create index left_out_path on left_out (path);"
	    "create index documents_file on documents (file, number);"
	    "create index contracts_file on contracts (file);"
	    "create index contracts_owner on contracts (owner);"
	    "create index mounts_child on mounts (child);"
	    "create index settings_key on settings (key);"
	    "create index packages_file on packages (file)",
	    e);
}

/*
 * ---- publishing: one thread has the database, others do as much as possible of the work that
 * does not need it ----
 */

static void *sort_terms(void *postings)
{
	postings_sort(postings);
	return NULL;
}

static void *finish_program(void *program)
{
	program_finish(program);
	return NULL;
}

static int put_terms(void *arg, struct err *e)
{
	struct index_writer *b = arg;

	return postings_write_step(b->postings, b->db, TERMS, e);
}

/* Writes the tables that need neither the finished program nor sorted terms. */
static int put_tables(struct index_writer *b, struct err *e)
{
	if (put_ranking(b, e))
		return -1;
	if (symbols_write_names(b->db, SYMBOLS_MAJOR, &b->keys, e) ||
	    symbols_write_names(b->db, SYMBOLS_MINOR, &b->minor_keys, e))
		return -1;
	return put_indexes(b, e);
}

static int resolve(
    struct index_writer *b, int threads, const struct graph_node_hashes *names, struct err *e)
{
	const struct background_work terms = { put_terms, b };
	pthread_t program, sort;

	if (pthread_create(&program, NULL, finish_program, b->program) ||
	    pthread_create(&sort, NULL, sort_terms, b->postings))
		die("cannot start a thread");
	int rc = put_tables(b, e);
	pthread_join(program, NULL);
	pthread_join(sort, NULL);
	if (!rc)
		rc = resolve_all(b->db, b->program, threads, names, &terms, e);
	if (rc)
		return rc;
	do
		rc = put_terms(b, e);
	while (rc > 0);
	return rc;
}

/* Completes the hashes of the files with what resolution has found. */
static int hash_files(struct index_writer *b, const struct scip_sources *scips,
    const struct graph_node_hashes *names, struct err *e)
{
	bool other_edges = scips && (b->nscips || *scips->given);

	if (other_edges)
		return graph_hash_files(b->db, NULL, 0, names, e);
	return graph_hash_contracts(b->db, names, e);
}

/* Finds the contracts that need more than one file. */
static int join_contracts(
    struct index_writer *b, const struct text_source *texts, int threads, struct err *e)
{
	if (!texts)
		return 0;
	if (crossfile_build(b->db, b->program, threads, texts, e))
		return -1;
	return bind_handlers_run(b->db, texts, NULL, NULL, e);
}

/* Writes everything that is computed from the rows of all files. */
static int complete(struct index_writer *b, struct index_info *info,
    const struct text_source *texts, const struct scip_sources *scips, int threads, struct err *e)
{
	const struct graph_node_hashes names = { (const void *)b->files.p, (const void *)b->names.p,
	    (const void *)b->first.p, (const void *)b->nodes.p };

	if (resolve(b, threads, &names, e))
		return -1;
	if (scip_sources_apply(b->db, scips, NULL, 0, e))
		return -1;
	if (join_contracts(b, texts, threads, e))
		return -1;
	if (hash_files(b, scips, &names, e))
		return -1;
	if (graph_hash(b->db, info->graph_hash, e))
		return -1;
	if (rows_count_contracts(b->db, &info->contracts, e))
		return -1;
	if (rows_put_skips(b->db, e) || index_gaps_count(b->db, info, e))
		return -1;
	return db_exec(b->db, "commit", e);
}

int index_writer_publish(struct index_writer *b, struct index_info *info,
    const struct text_source *texts, const struct scip_sources *scips, int threads, struct err *e)
{
	if (complete(b, info, texts, scips, threads, e))
		return err_add(e, "%s", b->tmp);
	info->files = b->n.files;
	info->bytes = b->n.bytes;
	info->symbols = b->n.symbols;
	info->documents = b->n.documents;
	info->schema = SCHEMA_VERSION;
	info->extractor = EXTRACTOR_VERSION;
	clock_iso(info->indexed_at);
	if (store_put_info(b->db, info, e) || db_exec(b->db, "pragma journal_mode=wal", e))
		return err_add(e, "%s", b->tmp);
	db_close(b->db);
	b->db = NULL;
	if (store_publish(b->dir, b->file, e))
		return -1;
	*b->tmp = 0;
	return 0;
}

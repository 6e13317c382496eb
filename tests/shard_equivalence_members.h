#ifndef TESTS_SHARD_EQUIVALENCE_MEMBERS_H
#define TESTS_SHARD_EQUIVALENCE_MEMBERS_H
/* Members in the test's process, with real indexes of a part of the generated files; they answer like shards. */
#include "tests/shard_equivalence_files.h"

#include <stdatomic.h>

#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/index_store.h"
#include "shard/index/index_writer.h"
#include "shard/parse/parser.h"
#include "shard/search/search.h"
#include "shard/syntax/languages.h"

enum { MEMBERS = 100 };

struct test_shard {
	const char *uri, *url, *folder;
	struct wire_server *server;
	pthread_mutex_t lock;
	struct index_reader reader;
	int searches;
};

static struct test_shard test_shards[MEMBERS];
static size_t ntest_shards;
static struct parser *parser;
static struct wire_peer *membership_peer;		/* where members announce themselves */

static void index_file(struct index_writer *b, const struct file *f)
{
	struct arena *own = arena_new();
	struct facts facts = { 0 };
	struct err e = { 0 };
	const struct lang *lang = lang_detect(f->path, f->text, f->n);

	assert_non_null(lang);
	parse(parser, lang, f->text, f->n, 0, own, &facts);
	struct indexed_file file = { f->path, f->blob, lang_name(lang), f->n, !strncmp(f->path, "tests/", 6), false };
	assert_int_equal(index_writer_add_file(b, &file, &facts, &e), 0);
	arena_free(own);
}

/* Publish a new index of the files whose `part` is `which`. */
static void publish(struct test_shard *m, const unsigned *part, unsigned which)
{
	struct err e = { 0 };
	struct index_info info = { .generation = store_next_generation(m->folder), .commit = "c0ffee" };

	snprintf(info.file, sizeof info.file, "index-%lld.db", (long long)info.generation);
	snprintf(info.repo_uri, sizeof info.repo_uri, "%s", m->uri);
	struct index_writer *b = index_writer_new(m->folder, &info, &e);
	assert_non_null(b);
	for (size_t i = 0; i < nfiles; i++)
		if (part[i] == which)
			index_file(b, &files[i]);
	assert_int_equal(index_writer_publish(b, &info, NULL, NULL, 1, &e), 0);
	index_writer_free(b);
	pthread_mutex_lock(&m->lock);
	struct index_reader *r = &m->reader;
	db_close(r->db);
	free(r->ranking_mem);
	bm25_scores_free(r->scores);
	r->ranking_mem = NULL;
	r->scores = NULL;
	assert_non_null(r->db = store_open(m->folder, info.file, &e));
	assert_int_equal(store_read_info(r->db, &r->info, &e), 0);
	pthread_mutex_unlock(&m->lock);
	store_sweep(m->folder, info.file, NULL);
}

static const struct freshness *stamp_of(const struct test_shard *m, struct arena *to)
{
	struct freshness *f = arena_one(to, struct freshness);

	*f = (struct freshness){ m->uri, arena_str(to, m->reader.info.commit), (uint64_t)m->reader.info.generation,
		arena_str(to, m->reader.info.graph_hash), arena_str(to, m->reader.info.indexed_at), 0, { 0 }, NULL };
	return f;
}

#define HANDLER(rpc, q_type, res_type) \
	static int do_##rpc(struct test_shard *m, struct wire_request *r, const struct record **rec, void **out, struct err *e) \
	{ \
		struct q_type q; \
		struct res_type *res = arena_one(r->a, struct res_type); \
		*rec = &rec_##res_type; \
		*out = res; \
		return codec_get(&rec_##q_type, &q, r->body.p, r->body.n, r->a, e) ? -1 : \
		    rpc_##rpc(NULL, &m->reader, &q, res, r->a, e); \
	}
HANDLER(stats, stats_req, stats_res)
HANDLER(sketch, nothing, sketch_res)

static atomic_bool exhausted;		/* members fail requests for further hits */

static int do_search(struct test_shard *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct search_req q;
	struct search_res *res = arena_one(r->a, struct search_res);

	*rec = &rec_search_res;
	*out = res;
	if (codec_get(&rec_search_req, &q, r->body.p, r->body.n, r->a, e))
		return -1;
	if (atomic_load(&exhausted) && (q.least_lexical > 0 || q.least_exact > 0))
		return err_set(e, ERR_UNAVAILABLE, "exhausted");
	return rpc_search(NULL, &m->reader, &q, res, r->a, e);
}

static atomic_int stale_documents;		/* the number of documents whose text has changed when they are located */

static _Atomic(struct test_shard *) silent_member;	/* fails requests to locate its documents */

static int do_snippet(struct test_shard *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct snippet_req q;
	struct snippet_res *res = arena_one(r->a, struct snippet_res);

	*rec = &rec_snippet_res;
	*out = res;
	if (codec_get(&rec_snippet_req, &q, r->body.p, r->body.n, r->a, e))
		return -1;
	if (m == atomic_load(&silent_member))
		return err_set(e, ERR_UNAVAILABLE, "mute");
	res->snippets.v = arena_many(r->a, q.spans.n, struct snippet);
	res->hits.v = arena_many(r->a, q.spans.n, struct hit);
	for (size_t i = 0; i < q.spans.n; i++) {
		const struct span *p = &q.spans.v[i];
		struct hit *h = &res->hits.v[res->hits.n++];
		*h = (struct hit){ .blob = p->blob, .start_line = p->start_line, .end_line = p->end_line };
		uint64_t text = p->doc && atomic_fetch_sub(&stale_documents, 1) > 0 ? p->text + 1 : p->text;
		if (p->doc && search_locate_document(&m->reader, p->doc, text, h, r->a, e))
			return -1;
		res->snippets.v[res->snippets.n++] = (struct snippet){ h->blob, h->start_line, h->end_line };
	}
	return 0;
}

static int do_health(struct test_shard *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct health_res *h = arena_one(r->a, struct health_res);

	(void)e;
	*h = (struct health_res){ .status = "ready", .commit = "c0ffee", .generation = (uint64_t)m->reader.info.generation };
	*rec = &rec_health_res;
	*out = h;
	return 0;
}

static int do_status(struct test_shard *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct status_res *s = arena_one(r->a, struct status_res);

	(void)m, (void)e;
	*s = (struct status_res){ .status = "ready" };
	*rec = &rec_status_res;
	*out = s;
	return 0;
}

static const struct {
	const char *rpc;
	int (*run)(struct test_shard *, struct wire_request *, const struct record **, void **, struct err *);
} handlers[] = {
	{ "health", do_health }, { "status", do_status }, { "search", do_search }, { "stats", do_stats },
	{ "sketch", do_sketch }, { "snippet", do_snippet },
};

static void on_request(void *ctx, struct wire_request *r)
{
	struct test_shard *m = ctx;
	const struct record *rec = &rec_nothing;
	void *res = NULL;
	struct err e = { 0 };

	pthread_mutex_lock(&m->lock);
	size_t i = 0;
	while (i < LEN(handlers) && strcmp(handlers[i].rpc, r->rpc))
		i++;
	m->searches += !strcmp(r->rpc, "search");
	if (i == LEN(handlers))
		err_set(&e, ERR_NOT_FOUND, "no %s here", r->rpc);
	else
		handlers[i].run(m, r, &rec, &res, &e);
	const struct freshness *stamp = stamp_of(m, r->a);
	pthread_mutex_unlock(&m->lock);
	wire_answer(r, rec, res, stamp, &e);
}

struct announcement {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool done;
};

static void on_announced(void *arg, struct wire_reply *reply)
{
	struct announcement *t = arg;

	wire_reply_free(reply);
	pthread_mutex_lock(&t->lock);
	t->done = true;
	pthread_cond_signal(&t->cond);
	pthread_mutex_unlock(&t->lock);
}

static void announce(const struct test_shard *m)
{
	struct announcement t = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = m->uri, .name = strchr(m->uri, '/') + 1, .replica = "r",
		.endpoint = m->url, .default_branch = "main", .status = "ready", .generation = (uint64_t)m->reader.info.generation };

	wire_call_async(membership_peer, "announce", &rec_hello, &h, "", 20000, false, on_announced, &t);
	pthread_mutex_lock(&t.lock);
	while (!t.done)
		pthread_cond_wait(&t.cond, &t.lock);
	pthread_mutex_unlock(&t.lock);
}

/* Add `n` members without files as a group named `org` and `n`; their names sort in another order than their numbers. */
static size_t add_members(unsigned n, const char *org)
{
	size_t first = ntest_shards;
	const char *group = arena_printf(a, "{\"group\":\"%s%u\",\"repos\":[", org, n);
	struct err e = { 0 };

	for (unsigned i = 0; i < n; i++) {
		struct test_shard *m = &test_shards[ntest_shards++];
		m->uri = arena_printf(a, "h.example/%s%u/r%03u", org, n, i * 7919 % 997);
		m->url = arena_printf(a, "ipc://%s/s%zu", dir, ntest_shards);
		m->folder = arena_printf(a, "%s/d%zu", dir, ntest_shards);
		assert_int_equal(system(arena_printf(a, "mkdir %s", m->folder)), 0);
		pthread_mutex_init(&m->lock, NULL);
		m->reader.place = arena_printf(a, "%s/repo", dir);
		assert_non_null(m->reader.repo = repo_open(m->reader.place, &e));
		assert_non_null(m->server = wire_listen(m->url, &(struct wire_trust){ 0 }, 16, on_request, m, &e));
		group = arena_printf(a, "%s%s\"%s\"", group, i ? "," : "", strchr(m->uri, '/') + 1);
	}
	unsigned nothing[FILES];
	memset(nothing, 0xff, sizeof nothing);
	for (size_t i = first; i < ntest_shards; i++) {
		publish(&test_shards[i], nothing, 0);
		announce(&test_shards[i]);
		wait_health(test_shards[i].uri, "healthy");
	}
	ask("group_create", arena_printf(a, "%s]}", group));
	return first;
}

/* Distribute the files to `n` members, starting with `from`; the first gets `most` percent in addition to its share. */
static void distribute_files(size_t from, unsigned n, unsigned most)
{
	unsigned part[FILES];

	for (size_t i = 0; i < nfiles; i++)
		part[i] = random_number(&seed, 100) < most ? 0 : random_number(&seed, n);
	for (unsigned k = 0; k < n; k++) {
		publish(&test_shards[from + k], part, k);
		announce(&test_shards[from + k]);
	}
}

#endif

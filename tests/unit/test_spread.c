/*
 * One index of everything and the same files spread over many shards give the same answers: the same documents in the same
 * order with the same scores.  Real indexes behind a real coordinator.  SPREAD_LONG=1: 60 shards too, and more questions.
 */
#include "tests/made_up.h"
#include "tests/asking.h"
#include "tests/sanitized.h"

#include <stdatomic.h>

#include "proto/base/db.h"
#include "shard/build.h"
#include "shard/facts.h"
#include "shard/lang.h"
#include "shard/parse.h"
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/search_own.h"
#include "shard/store.h"

enum { FILES = 240, WORDS = 300, MEMBERS = 100, QUESTIONS = SANITIZED ? 60 : 200, WAYS = SANITIZED ? 2 : 5, LONGEST = 400 };

static const char unique[] = "zanzibar";	/* is in one file */

/* ---- made-up files ---- */

struct file {
	const char *path;
	char blob[REPO_OID];
	const char *text;
	size_t n;
};

static struct file files[FILES];
static size_t nfiles;
static uint64_t seed = 7;

static const char *word(unsigned i)
{
	static const char *const syllables[] = { "load", "user", "par", "tok", "en", "cache", "ro", "ute", "ses", "sion", "qu", "eue",
		"in", "dex", "wri", "ter", "buf", "fer", "con", "fig" };

	return i < 20 ? syllables[i] : arena_printf(a, "%s%s", syllables[i % 20], syllables[i / 20 % 20]);
}

/* Few words are common, most are rare. */
static const char *any_word(void)
{
	unsigned n = made_up_number(&seed, WORDS), m = made_up_number(&seed, WORDS);

	return word(n * m / WORDS);
}

static const char *any_name(void)
{
	const char *x = any_word(), *y = any_word();

	return made_up_number(&seed, 2) ? arena_printf(a, "%s_%s", x, y) :
	    arena_printf(a, "%s%c%s", x, y[0] - 'a' + 'A', y + 1);
}

static void put_words(FILE *f, unsigned n)
{
	static const char *const small[] = { "the", "of", "a", "is", "to" };

	for (; n; n--)
		fprintf(f, "%s%s", made_up_number(&seed, 4) ? any_word() : small[made_up_number(&seed, 5)], n > 1 ? " " : "");
}

static void put_function(FILE *f, bool python)
{
	fprintf(f, python ? "def %s(%s, %s):\n    \"\"\"" : "/* %s", any_name(), any_word(), any_word());
	put_words(f, 4 + made_up_number(&seed, 12));
	fputs(python ? ".\"\"\"\n" : ". */\n", f);
	if (!python)
		fprintf(f, "int %s(int %s)\n{\n", any_name(), any_word());
	for (unsigned n = made_up_number(&seed, 6); n; n--)
		fprintf(f, python ? "    %s = %s(%s)\n" : "\t%s = %s(%s);\n", any_word(), any_name(), any_word());
	fputs(python ? "    return 0\n\n\n" : "\treturn 0;\n}\n\n", f);
}

/* Code in three languages and prose; tests, copies, and files that score alike. */
static void write_file(const char *path, unsigned i)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	if (i % 12 == 5)
		fprintf(f, "%s = %s\n", word(i % 3), word(4));
	else if (i % 12 == 11) {
		fprintf(f, "# %s\n\n", any_name());
		put_words(f, 40);
		fputs("\n", f);
	} else
		for (unsigned n = 1 + made_up_number(&seed, 4); n; n--)
			put_function(f, i % 2);
	if (i == 77)
		fprintf(f, "\n%s = 1\n", unique);
	assert_int_equal(fclose(f), 0);
}

static void write_files(void)
{
	static const char *const folders[] = { "src", "lib", "tests", "src/core", "docs" };

	for (unsigned i = 0; i < FILES; i++) {
		const char *folder = arena_printf(a, "%s/repo/%s", dir, folders[made_up_number(&seed, 5)]);
		const char *path = arena_printf(a, "%s/%s_%03u.%s", folder, word(i % 7), i, i % 12 == 11 ? "md" : i % 2 ? "py" : "c");
		assert_int_equal(system(arena_printf(a, "mkdir -p %s", folder)), 0);
		write_file(path, i);
		if (i % 15 == 3 && i + 1 < FILES) {	/* the same text again */
			assert_int_equal(system(arena_printf(a, "cp %s %s/copy_%03u.%s", path, folder, i, strrchr(path, '.') + 1)), 0);
			i++;
		}
	}
	assert_int_equal(system(arena_printf(a, "cd %s/repo && git init -q && git add -A && git -c user.name=t -c user.email=t@t "
	    "commit -q -m made", dir)), 0);
}

static void read_files(void)
{
	struct err e = { 0 };
	struct repo *repo = repo_open(arena_printf(a, "%s/repo", dir), &e);
	struct entries all = { 0 };
	char head[REPO_OID];

	assert_non_null(repo);
	assert_int_equal(repo_head(repo, head, &e) || repo_tree(repo, head, a, &all, &e), 0);
	assert_true(all.n <= FILES);
	for (size_t i = 0; i < all.n; i++) {
		struct file *f = &files[nfiles++];
		struct buf text = { 0 };
		assert_int_equal(repo_text(repo, all.v[i].blob, &text, &e), 0);
		f->path = all.v[i].path;
		memcpy(f->blob, all.v[i].blob, REPO_OID);
		f->text = arena_strn(a, text.p, text.n);
		f->n = text.n;
		buf_free(&text);
	}
	free(all.v);
	repo_close(repo);
}

/* ---- members ---- */

struct shard_like {
	const char *uri, *url, *folder;
	struct wire_server *server;
	pthread_mutex_t lock;
	struct reader reader;
	int searches;
};

static struct shard_like members_of[MEMBERS];
static size_t nmembers;
static struct parser *parser;
static struct wire_peer *door;		/* where members announce themselves */

static void index_file(struct build *b, const struct file *f)
{
	struct arena *own = arena_new();
	struct facts facts = { 0 };
	struct err e = { 0 };
	const struct lang *lang = lang_of(f->path, f->text, f->n);

	assert_non_null(lang);
	parse(parser, lang, f->text, f->n, 0, own, &facts);
	struct build_file file = { f->path, f->blob, lang_name(lang), f->n, !strncmp(f->path, "tests/", 6), false };
	assert_int_equal(build_put(b, &file, &facts, &e), 0);
	arena_free(own);
}

/* A new index of the files that `has` says; `part` is which of them. */
static void publish(struct shard_like *m, const unsigned *part, unsigned which)
{
	struct err e = { 0 };
	struct index_info info = { .generation = store_next(m->folder), .commit = "c0ffee" };

	snprintf(info.file, sizeof info.file, "index-%lld.db", (long long)info.generation);
	snprintf(info.repo_uri, sizeof info.repo_uri, "%s", m->uri);
	struct build *b = build_new(m->folder, &info, &e);
	assert_non_null(b);
	for (size_t i = 0; i < nfiles; i++)
		if (part[i] == which)
			index_file(b, &files[i]);
	assert_int_equal(build_publish(b, &info, NULL, NULL, 1, &e), 0);
	build_free(b);
	pthread_mutex_lock(&m->lock);
	struct reader *r = &m->reader;
	db_close(r->db);
	free(r->ranking_mem);
	scores_free(r->scores);
	r->ranking_mem = NULL;
	r->scores = NULL;
	assert_non_null(r->db = store_open(m->folder, info.file, &e));
	assert_int_equal(store_info(r->db, &r->info, &e), 0);
	pthread_mutex_unlock(&m->lock);
	store_sweep(m->folder, info.file, NULL);
}

static const struct freshness *stamp_of(const struct shard_like *m, struct arena *to)
{
	struct freshness *f = arena_one(to, struct freshness);

	*f = (struct freshness){ m->uri, arena_str(to, m->reader.info.commit), (uint64_t)m->reader.info.generation,
		arena_str(to, m->reader.info.graph_hash), arena_str(to, m->reader.info.indexed_at), 0 };
	return f;
}

#define HANDLER(rpc, q_type, res_type) \
	static int do_##rpc(struct shard_like *m, struct wire_request *r, const struct record **rec, void **out, struct err *e) \
	{ \
		struct q_type q; \
		struct res_type *res = arena_one(r->a, struct res_type); \
		*rec = &rec_##res_type; \
		*out = res; \
		return codec_get(&rec_##q_type, &q, r->body.p, r->body.n, r->a, e) ? -1 : \
		    rpc_##rpc(NULL, &m->reader, &q, res, r->a, e); \
	}
HANDLER(search, search_req, search_res)
HANDLER(stats, stats_req, stats_res)
HANDLER(sketch, nothing, sketch_res)

static atomic_int lost;		/* so many documents are another text by the time that somebody asks where they stand */

static int do_snippet(struct shard_like *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct snippet_req q;
	struct snippet_res *res = arena_one(r->a, struct snippet_res);

	*rec = &rec_snippet_res;
	*out = res;
	if (codec_get(&rec_snippet_req, &q, r->body.p, r->body.n, r->a, e))
		return -1;
	res->snippets.v = arena_many(r->a, q.spans.n, struct snippet);
	res->hits.v = arena_many(r->a, q.spans.n, struct hit);
	for (size_t i = 0; i < q.spans.n; i++) {
		const struct span *p = &q.spans.v[i];
		struct hit *h = &res->hits.v[res->hits.n++];
		*h = (struct hit){ .blob = p->blob, .start_line = p->start_line, .end_line = p->end_line };
		uint64_t text = p->doc && atomic_fetch_sub(&lost, 1) > 0 ? p->text + 1 : p->text;
		if (p->doc && search_find(&m->reader, p->doc, text, h, r->a, e))
			return -1;
		res->snippets.v[res->snippets.n++] = (struct snippet){ h->blob, h->start_line, h->end_line };
	}
	return 0;
}

static int do_health(struct shard_like *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
{
	struct health_res *h = arena_one(r->a, struct health_res);

	(void)e;
	*h = (struct health_res){ .status = "ready", .commit = "c0ffee", .generation = (uint64_t)m->reader.info.generation };
	*rec = &rec_health_res;
	*out = h;
	return 0;
}

static int do_status(struct shard_like *m, struct wire_request *r, const struct record **rec, void **out, struct err *e)
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
	int (*run)(struct shard_like *, struct wire_request *, const struct record **, void **, struct err *);
} handlers[] = {
	{ "health", do_health }, { "status", do_status }, { "search", do_search }, { "stats", do_stats },
	{ "sketch", do_sketch }, { "snippet", do_snippet },
};

static void on_question(void *ctx, struct wire_request *r)
{
	struct shard_like *m = ctx;
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

struct told {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool done;
};

static void on_told(void *arg, struct wire_reply *reply)
{
	struct told *t = arg;

	wire_reply_free(reply);
	pthread_mutex_lock(&t->lock);
	t->done = true;
	pthread_cond_signal(&t->cond);
	pthread_mutex_unlock(&t->lock);
}

static void announce(const struct shard_like *m)
{
	struct told t = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = m->uri, .name = strchr(m->uri, '/') + 1, .replica = "r",
		.endpoint = m->url, .default_branch = "main", .status = "ready", .generation = (uint64_t)m->reader.info.generation };

	wire_ask(door, "announce", &rec_hello, &h, "", 20000, false, on_told, &t);
	pthread_mutex_lock(&t.lock);
	while (!t.done)
		pthread_cond_wait(&t.cond, &t.lock);
	pthread_mutex_unlock(&t.lock);
}

/* `n` members whose files `part` says, as the group gN; their names are in another order than their numbers. */
static size_t add_members(unsigned n, const char *org)
{
	size_t first = nmembers;
	const char *group = arena_printf(a, "{\"group\":\"%s%u\",\"repos\":[", org, n);
	struct err e = { 0 };

	for (unsigned i = 0; i < n; i++) {
		struct shard_like *m = &members_of[nmembers++];
		m->uri = arena_printf(a, "h.example/%s%u/r%03u", org, n, i * 7919 % 997);
		m->url = arena_printf(a, "ipc://%s/s%zu", dir, nmembers);
		m->folder = arena_printf(a, "%s/d%zu", dir, nmembers);
		assert_int_equal(system(arena_printf(a, "mkdir %s", m->folder)), 0);
		pthread_mutex_init(&m->lock, NULL);
		assert_non_null(m->reader.repo = repo_open(arena_printf(a, "%s/repo", dir), &e));
		assert_non_null(m->server = wire_listen(m->url, &(struct wire_trust){ 0 }, 16, on_question, m, &e));
		group = arena_printf(a, "%s%s\"%s\"", group, i ? "," : "", strchr(m->uri, '/') + 1);
	}
	unsigned nothing[FILES];
	memset(nothing, 0xff, sizeof nothing);
	for (size_t i = first; i < nmembers; i++) {
		publish(&members_of[i], nothing, 0);
		announce(&members_of[i]);
		wait_health(members_of[i].uri, "healthy");
	}
	ask("group_create", arena_printf(a, "%s]}", group));
	return first;
}

/* Deal the files anew to `n` members from `from` on; `most`: in a hundred go to the first of them beside its share. */
static void deal(size_t from, unsigned n, unsigned most)
{
	unsigned part[FILES];

	for (size_t i = 0; i < nfiles; i++)
		part[i] = made_up_number(&seed, 100) < most ? 0 : made_up_number(&seed, n);
	for (unsigned k = 0; k < n; k++) {
		publish(&members_of[from + k], part, k);
		announce(&members_of[from + k]);
	}
}

/* ---- questions ---- */

static char *questions[QUESTIONS];

static const char *several(unsigned n)
{
	const char *s = any_word();

	while (--n)
		s = arena_printf(a, "%s %s", s, any_word());
	return s;
}

/* Words that follow each other somewhere. */
static const char *quoted(void)
{
	for (;;) {
		const struct file *f = &files[made_up_number(&seed, (unsigned)nfiles)];
		const char *at = f->text + made_up_number(&seed, (unsigned)f->n), *end;
		at = strchr(at, ' ');
		end = at ? strchr(at + 1, ' ') : NULL;
		end = end ? strchr(end + 1, ' ') : NULL;
		if (end && strcspn(at, "\n\"\\") > (size_t)(end - at) && strcspn(at, "aeiou") < (size_t)(end - at))
			return arena_printf(a, "\\\"%.*s\\\"", (int)(end - at - 1), at + 1);
	}
}

static void make_questions(void)
{
	for (int i = 0; i < QUESTIONS; i++) {
		const char *more = "", *q = "";
		switch (i % 10) {
		case 0: q = word((unsigned)i / 10); break;
		case 1: case 2: q = any_name(); break;
		case 3: q = several(2); break;
		case 4: q = several(3); break;
		case 5: q = arena_printf(a, "how does the %s %s a %s?", any_word(), any_word(), any_name()); break;
		case 6: q = quoted(); break;
		case 7: q = several(2); more = ",\"languages\":[\"python\"]"; break;
		case 8: q = several(4); more = i % 20 < 10 ? ",\"kinds\":[\"function\"]" : ",\"path_prefix\":\"src/\""; break;
		case 9: q = several(i % 20 < 10 ? 120 : 8); break;
		}
		questions[i] = (char *)arena_printf(a, "\"query\":\"%s\",\"limit\":%d%s,\"fusion\":\"%s\"", q, 5 + i % 46, more,
		    i & 1 ? "weighted" : "rrf");
	}
}

/* An answer's list as text, without what says where it comes from. */
static const char *list_of(const char *answer)
{
	static const char *const where[] = { "\"repo_uri\":\"", "\"repo\":\"" };
	const char *from = strstr(answer, "\"results\":"), *end = strstr(answer, "\"coverage\":");

	if (!from || !end || !strstr(end, "\"complete\":true"))
		fail_msg("%.1000s", answer);
	char *out = arena_strn(a, from, (size_t)(end - from)), *w = out;
	for (const char *r = out; *r;) {
		size_t skip = 0;
		for (size_t k = 0; k < LEN(where); k++)
			if (!strncmp(r, where[k], strlen(where[k])))
				skip = strlen(where[k]);
		if (skip)
			r = strchr(r + skip, '"') + 1;
		else
			*w++ = *r++;
	}
	*w = 0;
	return arena_printf(a, "%s%s", out, get(answer, "total"));
}

static const char *ask_group(const char *group, const char *question)
{
	return ask("group_query", arena_printf(a, "{\"group\":\"%s\",\"mode\":\"lexical\",%s}", group, question));
}

static void same_lists(const char *one, const char *many, int questions_from, int questions_to)
{
	size_t found = 0;

	for (int i = questions_from; i < questions_to; i++) {
		const char *x = list_of(ask_group(one, questions[i])), *y = list_of(ask_group(many, questions[i]));
		if (strcmp(x, y))
			fail_msg("%s\n%s: %.1500s\n%s: %.1500s", questions[i], one, x, many, y);
		found += strlen(x) > 60;
	}
	assert_true(found * 2 > (size_t)(questions_to - questions_from));
}

/* ---- the tests ---- */

static unsigned counts[] = { 2, 6, 20, 60 };
static size_t first[4], ncounts, second;

/* Two sets of six hold the same and have other names. */
static void deal_all(unsigned most)
{
	for (size_t k = 0; k < ncounts; k++) {
		uint64_t before = seed;
		deal(first[k], counts[k], most);
		if (counts[k] == 6) {
			seed = before;
			deal(second, 6, most);
		}
	}
}

static void spread_or_not(void **state)
{
	bool all = ncounts == LEN(counts);

	(void)state;
	for (int way = 0; way < WAYS; way++) {
		deal_all(way % 2 ? 0 : 60);
		int from = all || !way ? 0 : way * 40 - 40, to = all || !way ? QUESTIONS : way * 40;
		for (size_t k = 0; k < ncounts; k++)
			same_lists("one1", arena_printf(a, "many%u", counts[k]), from, to);
		same_lists("many6", "others6", way * 20, way * 20 + 20);
	}
}

static const char *without_time(const char *answer)
{
	const char *at = strstr(answer, "\"took_ms\":");

	return arena_printf(a, "%.*s%s", (int)(at - answer), answer, at + strcspn(at, ",}"));
}

static int skipped(const char *answer)
{
	return atoi(get(get(answer, "coverage"), "skipped"));
}

/* Who lacks the word is not asked, and who gets it is asked at once. */
static void who_cannot_match_is_skipped(void **state)
{
	const char *q = arena_printf(a, "\"query\":\"%s\"", unique), *s = "";

	(void)state;
	for (int way = 0; way < 3; way++) {
		deal(first[2], counts[2], 0);
		s = ask_group("many20", q);
		holds(s, unique);	/* where it is now */
		assert_int_equal(skipped(s) + atoi(get(get(s, "coverage"), "answered")), 20);
	}
	for (int i = 0; i < 1500 && skipped(s) < 19; i++) {	/* new sketches are asked for by and by */
		clock_sleep(20);
		s = ask_group("many20", q);
	}
	assert_true(skipped(s) >= 18);		/* a sketch may be wrong once in a hundred times */
	holds(s, unique);
	assert_string_equal(list_of(s), list_of(ask_group("one1", q)));
	s = ask_group("many20", "\"query\":\"word_of_nobody\"");
	assert_true(skipped(s) >= 18);
	assert_string_equal(get(s, "complete"), "true");
	same_lists("one1", "many20", 0, 60);
	for (int i = 0; i < 20; i++) {
		s = without_time(ask_group("many20", questions[i]));
		for (int run = 0; run < 2; run++)
			assert_string_equal(s, without_time(ask_group("many20", questions[i])));
	}
}

/* A search whose hits are other texts when their places are asked for begins anew, once; then they are not shown. */
static void what_moved_meanwhile_is_searched_again(void **state)
{
	const char *q = questions[5], *before = list_of(ask_group("many6", q));

	(void)state;
	assert_true(strlen(before) > 60);
	atomic_store(&lost, 1);
	assert_string_equal(list_of(ask_group("many6", q)), before);
	assert_true(atomic_load(&lost) < 0);
	atomic_store(&lost, 1 << 20);
	holds(ask_group("many6", q), "\"results\":[]");
	atomic_store(&lost, 0);
	assert_string_equal(list_of(ask_group("many6", q)), before);
}

/* The statistics of a member that has gone stay: what the others found stands in the same order. */
static void who_dies_keeps_its_statistics(void **state)
{
	const char *q = "\"query\":\"how is the user cache of a session token loaded\",\"limit\":40", *at;

	(void)state;
	const char *before = ask_group("others6", q);
	wire_server_free(members_of[second + 5].server);
	members_of[second + 5].server = NULL;
	wait_health(members_of[second + 5].uri, "down");
	const char *after = ask_group("others6", q), *item;
	assert_string_equal(get(after, "complete"), "false");
	at = before;
	for (size_t i = 0; (item = json_item(get(after, "results"), i, a)) && i < 20; i++) {
		const char *place = arena_printf(a, "\"path\":%s,\"start_line\":%s,", get(item, "path"), get(item, "start_line"));
		assert_non_null(at = strstr(at, place));	/* behind the one before it */
	}
}

static int setup(void **state)
{
	struct err e = { 0 };
	struct options o = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	repo_init();
	a = arena_new();
	strcpy(dir, "/tmp/atoll-spread.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_non_null(parser = parser_new(&e));
	write_files();
	read_files();
	make_questions();
	char *argv[] = { "atoll-coordinator", "--data", (char *)arena_printf(a, "%s/data", dir), "--http", "", "--listen",
		(char *)arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=200" };
	assert_int_equal(coordinator_options(&o, LEN(argv), argv, a, &e), 0);
	o.search_deadline_ms = 60000;	/* the machine may be slow */
	assert_non_null(co = coordinator_open(&o, &e));
	assert_non_null(door = wire_dial(argv[6], &(struct wire_trust){ 0 }, &e));
	size_t one = add_members(1, "one");
	deal(one, 1, 0);
	ncounts = getenv("SPREAD_LONG") ? 4 : 3;
	for (size_t k = 0; k < ncounts; k++)
		first[k] = add_members(counts[k], "many");
	second = add_members(6, "others");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	coordinator_close(co);
	wire_peer_free(door);
	for (size_t i = 0; i < nmembers; i++) {
		wire_server_free(members_of[i].server);
		db_close(members_of[i].reader.db);
		free(members_of[i].reader.ranking_mem);
		scores_free(members_of[i].reader.scores);
		repo_close(members_of[i].reader.repo);
	}
	parser_free(parser);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_or_not),
		cmocka_unit_test(who_cannot_match_is_skipped),
		cmocka_unit_test(what_moved_meanwhile_is_searched_again),
		cmocka_unit_test(who_dies_keeps_its_statistics),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

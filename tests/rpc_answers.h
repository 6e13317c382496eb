/*
 * What the handlers of a shard answer, each word of it: a file has questions to a repository, and their answers, first of all and after
 * a commit.  The index that followed the commit, and one made anew, answer the same.  ACCEPT=1 rewrites the answers; the diff is the
 * review.
 */
#ifndef TESTS_RPC_ANSWERS_H
#define TESTS_RPC_ANSWERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/embed/embedder.h"
#include "proto/process/options.h"
#include "proto/record/json.h"
#include "proto/record/record.h"
#include "shard/base/options.h"
#include "shard/daemon/shard_internal.h"
#include "shard/embedding/vector_builder.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/index_store.h"
#include "shard/ingest/ingest.h"
#include "shard/parse/outline.h"

/* clang-format off */
static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help)                                                       \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};
/* clang-format on */

struct answers_case {
	const char *answers; /* the file */
	const char *fixture; /* the folder that becomes the repository */
	const char *embedder, *file_limit;
	void (*make)(void), (*change)(void); /* commit the fixture; commit changes of it */
};

static const struct answers_case *asked;
static char dir[] = "/tmp/atoll-answers.XXXXXX";
static struct arena *a;
static struct options o;
static struct shard s;
static struct index_reader reader;
static struct embedder *embedder;

static void run(const char *commands)
{
	const char *all = arena_printf(a, "cd %s/repo && { %s; } >/dev/null", dir, commands);

	assert_int_equal(system(all), 0);
}

/* Does a part of the index in a process of its own, as a shard does. */
static void in_child(int (*work)(const struct options *, struct err *))
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		struct err e = { 0 };
		dup2(open("/dev/null", O_WRONLY), INGEST_FD);
		assert_int_equal(mkdir(s.src.data, 0700) && errno != EEXIST, 0);
		int rc = work(&o, &e);
		if (rc)
			fprintf(stderr, "%s\n", e.msg);
		embedder_free(embedder);
		arena_free(a);
		exit(rc);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Indexes the commit of HEAD. */
static void ingest(bool force)
{
	index_reader_close(&reader);
	o.force = force;
	in_child(ingest_run);
	if (embedder_dim(embedder))
		in_child(vector_builder_run);
}

/* Begins to read the published index. */
static void open_reader(void)
{
	struct err e = { 0 };
	struct index_info now;

	index_reader_close(&reader);
	reader = (struct index_reader){
		.place = s.src.place, .data = s.src.data, .embeds = embedder_dim(embedder) > 0
	};
	assert_int_equal(store_current(s.src.data, &now, &e), 0);
	reader.db = store_open(s.src.data, now.file, &e);
	assert_non_null(reader.db);
	reader.info = now;
	s.st.info = now;
}

/* The question's vector, if it asks for what is near. */
static void embed(struct search_req *q, struct arena *own)
{
	struct err e = { 0 };
	size_t dim = embedder_dim(embedder);

	if (!dim || !q->mode || !strcmp(q->mode, "lexical"))
		return;
	float *v = arena_many(own, dim, float);
	assert_int_equal(embedder_embed(embedder, EMBED_QUERY,
	                     &(struct embed_text){ q->query, strlen(q->query) }, 1, 1000, v, &e),
	    0);
	q->vector = (struct bytes){ v, dim * sizeof *v };
}

static double rounded(double x)
{
	return (double)(int)(x * 100 + (x < 0 ? -0.5 : 0.5)) / 100;
}

/* Cosines differ a little between processors. */
static void round_cosines(struct search_res *r)
{
	for (size_t i = 0; i < r->hits.n; i++) {
		struct hit *h = &r->hits.v[i];
		h->cosine = rounded(h->cosine);
		h->near = rounded(h->near);
		h->around = rounded(h->around);
	}
}

/* The answer to `RPC {REQUEST}`, or its error, in lines. */
static void answer(const char *line, struct buf *out)
{
	struct arena *own = arena_new();
	size_t n = strcspn(line, " ");
	enum rpc_id id = rpc_id(arena_strn(own, line, n));
	struct err e = { 0 };
	struct buf json = { 0 };

	if (id == NRPCS)
		fail_msg("%s", line);
	void *req = arena_get(own, 1, rpcs[id].req->size + 1);
	void *res = arena_get(own, 1, rpcs[id].res->size + 1);
	if (json_get(rpcs[id].req, req, line + n + 1, own, &e))
		fail_msg("%s: %s", line, e.msg);
	if (id == RPC_search)
		embed(req, own);
	if (rpc_handlers.v[id](&s, &reader, req, res, own, &e))
		buf_printf(&json, "%s: %s\n%s", err_name(e.code), e.msg, e.hint);
	else {
		if (id == RPC_search)
			round_cosines(res);
		json_put(rpcs[id].res, res, &json);
	}
	buf_byte(&json, 0);
	for (const char *p = json.p; *p; p++) {
		buf_byte(out, (unsigned char)*p);
		if (*p == ',' && p > json.p && p[-1] == '}')
			buf_byte(out, '\n');
	}
	buf_byte(out, '\n');
	buf_free(&json);
	arena_free(own);
}

static char *read_file(const char *path)
{
	struct buf b = { 0 };
	char bytes[65536];
	FILE *in = fopen(path, "rb");

	assert_non_null(in);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, in));)
		buf_put(&b, bytes, n);
	fclose(in);
	buf_byte(&b, 0);
	char *text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

/* What comes after the line of a section: its questions, each after `> `, and their answers. */
static const char *section(const char *text, const char *name)
{
	const char *at = strstr(text, arena_printf(a, "== %s\n", name));

	assert_non_null(at);
	const char *begin = strchr(at, '\n') + 1, *end = strstr(begin, "\n== ");
	return end ? arena_strn(a, begin, (size_t)(end + 1 - begin)) : begin;
}

/* The same section with what is answered now. */
static const char *answered(const char *text)
{
	struct buf out = { 0 };

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, "> ", 2))
			continue;
		const char *line = arena_strn(a, p, strcspn(p, "\n"));
		buf_printf(&out, "%s\n", line);
		answer(line + 2, &out);
	}
	buf_byte(&out, 0);
	const char *all = arena_str(a, out.p);
	buf_free(&out);
	return all;
}

static int compare(const char *want, const char *got)
{
	const char *question = "";

	while (*want || *got) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if (!strncmp(want, "> ", 2))
			question = arena_strn(a, want, w);
		if (w != g || memcmp(want, got, w)) {
			print_error("%s\n- %.*s\n+ %.*s\n", question, (int)w, want, (int)g, got);
			return 1;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
	return 0;
}

/* A commit of what is staged, always with the same hash; the author's name is that of the address. */
static void commit_staged(int day, const char *email, const char *message)
{
	run(arena_printf(a,
	    "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE=2026-03-%02dT12:00:00Z"
	    " GIT_COMMITTER_DATE=2026-03-%02dT12:00:00Z; git -c user.name=%.*s -c user.email=%s commit -q -m '%s'",
	    day, day, (int)strcspn(email, "@"), email, email, message));
}

static int begin(void **state)
{
	const struct answers_case *c = asked;
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	assert_non_null(mkdtemp(dir));
	a = arena_new();
	assert_int_equal(system(arena_printf(a, "cp -R %s %s/repo", c->fixture, dir)), 0);
	c->make();
	char *arguments[] = { "atoll-shard", "--repo", arena_printf(a, "%s/repo", dir), "--data",
		arena_printf(a, "%s/data", dir), "--sandbox", "off", "--embedder", (char *)c->embedder,
		"--file-limit", (char *)c->file_limit };
	struct string_list rest = { 0 };
	if (options_parse(rows, LEN(rows), &o, "", LEN(arguments), arguments, &rest, a, &e))
		fail_msg("%s", e.msg);
	embedder = vectors_embedder(&o, &e);
	assert_non_null(embedder);
	s = (struct shard){ .o = &o, .a = a, .wake = -1 };
	pthread_mutex_init(&s.lock, NULL);
	assert_int_equal(repo_source_resolve(&s.src, &o, a, &e), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	index_reader_close(&reader);
	embedder_free(embedder);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void what_it_answers(void **state)
{
	const struct answers_case *c = asked;
	const char *text = read_file(c->answers), *first = section(text, "at first"),
	           *second = section(text, "after a commit");

	(void)state;
	ingest(false);
	open_reader();
	const char *now = answered(first);
	c->change();
	ingest(false);
	open_reader();
	const char *later = answered(second);
	ingest(true);
	open_reader();
	const char *anew = answered(second);
	if (getenv("ACCEPT")) {
		FILE *f = fopen(c->answers, "w");
		assert_non_null(f);
		fprintf(f, "== at first\n%s\n== after a commit\n%s", now, later);
		fclose(f);
		text = read_file(c->answers);
	}
	int differs = compare(section(text, "at first"), arena_printf(a, "%s\n", now));
	differs += compare(section(text, "after a commit"), later);
	differs += compare(section(text, "after a commit"), anew);
	assert_int_equal(differs, 0);
}

/* The main function of a test with these answers. */
static int answers_main(const struct answers_case *c, int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_answers),
	};
	struct err e = { 0 };

	if (argc > 1 && !strcmp(argv[1], "--outline"))
		return outline_child_main("off", &e); /* the handlers start their own program for that */
	if (argc > 1)
		return 2;
	asked = c;
	repo_init();
	return cmocka_run_group_tests_name(c->answers, tests, begin, end);
}
#endif

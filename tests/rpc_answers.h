/*
 * What the handlers of a shard answer, each word of it: a file has questions to a repository, and their answers, first of all and after
 * a commit.  The index that followed the commit, and one made anew, answer the same.  ACCEPT=1 rewrites the answers; the diff is the
 * review.
 */
#ifndef TESTS_RPC_ANSWERS_H
#define TESTS_RPC_ANSWERS_H

#include "tests/indexed_repository.h"

#include "proto/record/json.h"
#include "proto/record/record.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/parse/outline.h"

struct answers_case {
	const char *answers; /* the file */
	const char *fixture; /* the folder that becomes the repository */
	const char *embedder, *file_limit;
	void (*make)(void), (*change)(void); /* commit the fixture; commit changes of it */
};

static const struct answers_case *asked;

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

static int begin(void **state)
{
	const struct answers_case *c = asked;
	const char *const options[] = { "--embedder", c->embedder, "--file-limit", c->file_limit };

	(void)state;
	open_repository(c->fixture, c->make, options, LEN(options));
	return 0;
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
	return cmocka_run_group_tests_name(c->answers, tests, begin, close_repository);
}
#endif

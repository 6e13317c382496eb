#ifndef TESTS_CONTRACT_ROWS_H
#define TESTS_CONTRACT_ROWS_H
/* Helpers to write facts by hand, and the rows of match() as lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match.h"
#include "coordinator/contracts/links/repo_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/codec.h"

static struct arena *a;
static uint64_t line;

static inline struct fact fact(const char *side, const char *kind, const char *method, const char *path, const char *host)
{
	line++;
	return (struct fact){ .side = side, .kind = kind, .method = method, .path = path, .host = host, .framework = "test",
		.symbol = "f", .file = "src/a.c", .line = line, .end_line = line };
}

#define ROUTE(m, p)      fact("provides", "http", m, p, NULL)
#define CALL(m, p, host) fact("consumes", "http", m, p, host)

/* A route that a gateway forwards. */
static inline struct fact forward(const char *path, const char *host, const char *to)
{
	struct fact f = fact("forwards", "http", "ANY", path, host);

	f.to = to;
	return f;
}

#define FORWARD(path, host, to) forward(path, host, to)

static inline struct match_member member(const char *uri, const char *name, const struct fact *v, size_t n)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);

	r->facts.v = arena_many(a, n, struct fact);
	if (n)
		memcpy(r->facts.v, v, n * sizeof *v);
	r->facts.n = n;
	return (struct match_member){ uri, name, r };
}

#define MEMBER(name, ...) member("h/shop/" name, "shop/" name, (struct fact[]){ { 0 }, __VA_ARGS__ } + 1, \
	LEN(((struct fact[]){ { 0 }, __VA_ARGS__ })) - 1)

/* What speaks for a link, and against it, beyond method and path. */
static inline void put_evidence(struct buf *b, const struct contract *c)
{
	for (size_t i = 0; i < c->evidence.n; i++) {
		const char *code = c->evidence.v[i].code;
		if (code && strcmp(code, "path"))
			buf_printf(b, " %s", code);
	}
}

/* The rows as lines to compare: `GET /x web>users host`, `? GET /x web external`, `- GET /x users`. */
static inline const char *rows(const struct match_member *m, size_t n)
{
	struct match_result o;
	struct buf b = { 0 };

	match(m, n, a, &o);
	for (size_t i = 0; i < o.contracts.n; i++) {
		const struct contract *c = &o.contracts.v[i];
		buf_printf(&b, "%s %s %s>%s", c->method, c->path, c->consumer->repo_uri + 7,
		    c->producer->repo_uri + 7);
		put_evidence(&b, c);
		buf_str(&b, "\n");
	}
	for (size_t i = 0; i < o.unresolved.n; i++) {
		const struct unresolved *u = &o.unresolved.v[i];
		buf_printf(&b, "? %s %s %s %s%s\n", u->method, u->path, u->consumer->repo_uri + 7, u->reason,
		    u->candidates.n ? " with candidates" : "");
	}
	for (size_t i = 0; i < o.idle.n; i++)
		buf_printf(&b, "- %s %s %s\n", o.idle.v[i].producer->method, o.idle.v[i].producer->path,
		    o.idle.v[i].producer->repo_uri + 7);
	match_result_free(&o);
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static inline int contract_rows_setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static inline int contract_rows_teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}
#endif

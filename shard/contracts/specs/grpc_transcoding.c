#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/specs/operations.h"
#include "shard/contracts/paths/url_path.h"

/*
 * gRPC methods that are also HTTP requests: `option (google.api.http) = { get: "/v1/…" }` in a
 * .proto file.
 */

enum { MOST = 2000, LONGEST = 400, DEEP = 8 };

struct proto_scanner {
	const char *s, *end;
	uint32_t line;
	struct arena *a;
	const char *package, *service, *method;
	struct operation *v;
	size_t n, cap;
};

struct proto_token {
	const char *s;		/* of a string: the text in its quotes */
	size_t n;		/* 0: the end */
	bool string;
	uint32_t line;
};

/* Skip white space and comments. */
static void skip(struct proto_scanner *p)
{
	while (p->s < p->end) {
		if (*p->s == '\n')
			p->line++;
		if (isspace((unsigned char)*p->s)) {
			p->s++;
		} else if (p->end - p->s > 1 && p->s[0] == '/' && p->s[1] == '/') {
			while (p->s < p->end && *p->s != '\n')
				p->s++;
		} else if (p->end - p->s > 1 && p->s[0] == '/' && p->s[1] == '*') {
			const char *close = memmem(p->s, (size_t)(p->end - p->s), "*/", 2), *stop = p->end;
			if (close)
				stop = close + 2;
			for (; p->s < stop; p->s++)
				p->line += *p->s == '\n';
		} else {
			return;
		}
	}
}

static struct proto_token next(struct proto_scanner *p)
{
	skip(p);
	struct proto_token t = { .s = p->s, .line = p->line };
	if (p->s == p->end)
		return t;
	if (*p->s == '"' || *p->s == '\'') {
		char quote = *p->s++;
		t.s = p->s;
		while (p->s < p->end && *p->s != quote && *p->s != '\n')
			p->s += 1 + (*p->s == '\\' && p->s + 1 < p->end);
		p->s = MIN(p->end, p->s);
		t.n = (size_t)(p->s - t.s);
		t.string = true;
		p->s += p->s < p->end;
		return t;
	}
	while (p->s < p->end && (isalnum((unsigned char)*p->s) || strchr("_.", *p->s)))
		p->s++;
	p->s += p->s == t.s;
	t.n = (size_t)(p->s - t.s);
	return t;
}

static bool at_end(const struct proto_token *t)
{
	return !t->n && !t->string;
}

static bool is(const struct proto_token *t, const char *word)
{
	return !t->string && t->n == strlen(word) && !memcmp(t->s, word, t->n);
}

/* Whether a `*` that ends at `s` is at the end of the template. */
static bool is_last(const char *s, const char *end)
{
	return s == end || (*s == '}' && s + 1 == end);
}

/* The template of a path.  In `{name=shelves/{}}`, the pattern of a field stands for the field. */
static const char *path_of(struct proto_scanner *p, const struct proto_token *t)
{
	struct buf b = { 0 };
	const char *s = t->s, *end = s + t->n;

	while (s < end) {
		const char *close = NULL, *pattern = NULL;
		if (*s == '{')
			close = memchr(s, '}', (size_t)(end - s));
		if (close)
			pattern = memchr(s, '=', (size_t)(close - s));
		if (pattern) {
			s = pattern + 1;
		} else if (*s == '*') {
			s += strspn(s, "*");
			bool rest = s[-2] == '*' && is_last(s, end);
			buf_str(&b, rest ? "{*}" : "{}");
		} else if (close) {
			buf_str(&b, "{}");
			s = close + 1;
		} else {
			if (*s != '}')
				buf_byte(&b, *s);
			s++;
		}
	}
	const char *path = url_path(arena_strn(p->a, b.p, b.n), false, p->a);
	buf_free(&b);
	return path;
}

static void put(struct proto_scanner *p, const char *verb, const struct proto_token *path)
{
	struct operation o = { .form = "grpc-gateway",
		.kind = "http",
		.method = verb,
		.line = path->line,
		.end_line = path->line };

	if (!p->service || !p->method || !path->n || path->n > LONGEST || p->n == MOST)
		return;
	o.path = path_of(p, path);
	o.name = arena_printf(p->a, "%s/%s", p->service, p->method);
	if (p->package)
		o.name = arena_printf(p->a, "%s.%s", p->package, o.name);
	o.label = o.name;
	p->v = grow(p->v, &p->cap, p->n + 1, sizeof o);
	p->v[p->n++] = o;
}

static const char *verb_of(const struct proto_token *t)
{
	static const struct {
		const char *word, *verb;
	} verbs[] = { { "get", "GET" }, { "put", "PUT" }, { "post", "POST" }, { "delete", "DELETE" },
		{ "patch", "PATCH" } };

	for (size_t i = 0; i < LEN(verbs); i++)
		if (is(t, verbs[i].word))
			return verbs[i].verb;
	return NULL;
}

/*
 * The braces of an HTTP rule: a verb and its path, `custom { kind: path: }`, additional bindings.
 */
static void read_rule(struct proto_scanner *p)
{
	const char *kind = NULL;
	int depth = 1;

	for (struct proto_token t = next(p); depth && !at_end(&t); t = next(p)) {
		depth += is(&t, "{");
		depth -= is(&t, "}");
		if (!depth)
			return;
		bool path = is(&t, "path"), custom = is(&t, "kind");
		const char *verb = verb_of(&t);
		if (!verb && !path && !custom)
			continue;
		if (!verb)
			verb = kind;
		t = next(p);
		if (is(&t, ":"))
			t = next(p);
		if (custom && t.string) {
			kind = arena_strn(p->a, t.s, t.n);
			if (!strcmp(kind, "*"))
				kind = "ANY";
		} else if (t.string && verb) {
			put(p, verb, &t);
		} else if (is(&t, "}")) {
			depth--;
		}
		if (!depth)
			return;
	}
}

/* `(google.api.http) = {` or `(google.api.http).get = "…"`, behind `option`. */
static void read_option(struct proto_scanner *p)
{
	struct proto_token t = next(p);

	if (!is(&t, "("))
		return;
	t = next(p);
	if (!is(&t, "google.api.http") && !is(&t, ".google.api.http"))
		return;
	next(p);
	t = next(p);
	if (t.n > 1 && *t.s == '.') {
		const char *verb = verb_of(&(struct proto_token){ .s = t.s + 1, .n = t.n - 1 });
		next(p);
		t = next(p);
		if (verb && t.string)
			put(p, verb, &t);
		return;
	}
	t = next(p);
	if (is(&t, "{"))
		read_rule(p);
}

/* The name that a word declares, if `sign` follows it; NULL: the word means something else. */
static const char *declared(
    struct proto_scanner *p, const struct proto_token *t, const char *word, char sign)
{
	struct proto_scanner before = *p;
	struct proto_token name = { 0 };

	if (is(t, word))
		name = next(p);
	skip(p);
	bool named = name.n && !name.string;
	if (named && p->s < p->end && *p->s == sign)
		return arena_strn(p->a, name.s, name.n);
	p->s = before.s;
	p->line = before.line;
	return NULL;
}

size_t transcoding_find(const char *text, size_t n, struct arena *a, struct operation **out)
{
	struct proto_scanner p = { .s = text, .end = text + n, .line = 1, .a = a };

	if (!memmem(text, n, "google.api.http", 15))
		return 0;
	for (struct proto_token t = next(&p); !at_end(&t); t = next(&p)) {
		const char *package = declared(&p, &t, "package", ';'),
		           *service = declared(&p, &t, "service", '{');
		const char *method = declared(&p, &t, "rpc", '(');
		if (package)
			p.package = package;
		if (service)
			p.service = service;
		if (method || service)
			p.method = method;
		if (is(&t, "option"))
			read_option(&p);
	}
	*out = arena_many(a, p.n, struct operation);
	if (p.n)
		memcpy(*out, p.v, p.n * sizeof *p.v);
	free(p.v);
	return p.n;
}

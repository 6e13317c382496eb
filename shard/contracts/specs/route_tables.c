#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/contracts/specs/operations.h"
#include "shard/facts/facts.h"

/*
 * Tables of routes in files of their own, Play's conf/routes: each line has a verb, a path and the
 * controller's method, `GET /users/:id controllers.Users.show(id: Long)`.
 */

enum { MOST = 20000, WORDS = 3, LONGEST = 2000 };

/* The bytes of a word. */
struct word {
	const char *s;
	size_t n;
};

/* The words of a line up to the third, which is the rest of it; how many there are. */
static int words_of(const char *s, const char *end, struct word out[WORDS])
{
	int n = 0;

	while (n < WORDS) {
		while (s < end && isspace((unsigned char)*s))
			s++;
		if (s == end)
			break;
		const char *from = s;
		while (s < end && !isspace((unsigned char)*s))
			s++;
		if (n == WORDS - 1)
			s = end;
		out[n++] = (struct word){ from, (size_t)(s - from) };
	}
	return n;
}

static bool is_verb(const struct word *w)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD",
		"OPTIONS" };

	for (size_t i = 0; i < LEN(verbs); i++)
		if (strlen(verbs[i]) == w->n && !memcmp(verbs[i], w->s, w->n))
			return true;
	return false;
}

/* The length of a name at the beginning of a text. */
static size_t name_len(const char *s, const char *end)
{
	const char *from = s;

	while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
		s++;
	return (size_t)(s - from);
}

/* A path whose parameters are in braces: of :id, $id<[0-9]+> and *rest. */
static const char *path_of(const struct word *w, struct arena *a)
{
	const char *s = w->s, *end = w->s + w->n;
	struct buf b = { 0 };

	while (s < end) {
		size_t n = name_len(s + 1, end);
		if (!strchr(":$*", *s) || !n) {
			buf_byte(&b, *s++);
			continue;
		}
		buf_printf(&b, "{%.*s%s}", (int)n, s + 1, *s == '*' ? "..." : "");
		bool pattern = *s == '$' && s + 1 + n < end && s[1 + n] == '<';
		s += 1 + n;
		if (pattern) {
			const char *close = memrchr(s, '>', (size_t)(end - s));
			s = close ? close + 1 : end;
		}
	}
	buf_str(&b, "");
	const char *path = url_path(b.p, true, a);
	buf_free(&b);
	return path;
}

/* The class and method of `@controllers.api.Users.show(id: Long)`, or NULL. */
static const char *symbol_of(const struct word *w, struct arena *a)
{
	const char *s = w->s, *end = w->s + w->n, *stop = memchr(s, '(', w->n);
	int dots = 0;

	if (!stop)
		stop = end;
	while (stop > s && isspace((unsigned char)stop[-1]))
		stop--;
	s += s < stop && *s == '@';
	for (const char *p = s; p < stop; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.$", *p))
			return NULL;
	const char *from = stop;
	while (from > s && dots < 2)
		dots += *--from == '.';
	if (dots == 0)
		return NULL;
	from += dots == 2;
	return arena_strn(a, from, (size_t)(stop - from));
}

/* Add the route of a line, if it is one. */
static void add_line(
    struct fact_list *l, const char *s, const char *end, uint32_t line, struct arena *a)
{
	struct word w[WORDS];

	if (end - s > LONGEST || l->n == MOST || words_of(s, end, w) < WORDS)
		return;
	if (!is_verb(&w[0]) || *w[1].s != '/')
		return;
	const char *symbol = symbol_of(&w[2], a);
	if (!symbol)
		return;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct fact){ .side = "provides",
		.kind = "http",
		.method = arena_strn(a, w[0].s, w[0].n),
		.path = path_of(&w[1], a),
		.raw = arena_strn(a, w[1].s, w[1].n),
		.framework = "play",
		.line = line,
		.end_line = line,
		.symbol = symbol };
}

void route_tables_find(
    const char *language, const char *text, size_t n, struct arena *a, struct facts *out)
{
	const char *end = text + n;
	struct fact_list l = { 0 };
	uint32_t line = 1;

	if (strcmp(language, "routes"))
		return;
	for (const char *s = text; s < end; line++) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		if (!eol)
			eol = end;
		add_line(&l, s, eol, line, a);
		s = eol + 1;
	}
	facts_merge_contracts(out, l.v, l.n, a);
	free(l.v);
}

#include "shard/contracts/paths/route_syntax.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* The leading slash may be missing. */
static void loose(struct buf *b, const char *s)
{
	if (*s && *s != '/')
		buf_byte(b, '/');
	buf_str(b, s);
}

/* A handler that is mounted at a path and everything below it: /api/ and a star. */
static void below(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	bool star = n && s[n - 1] == '*';
	n -= star;
	if (star && n && s[n - 1] == '/')
		n--;
	buf_put(b, s, n);
	buf_byte(b, '\0');
}

/* Every path that begins with the text. */
static void prefix(struct buf *b, const char *s)
{
	buf_str(b, s);
	buf_byte(b, '*');
}

/* Behind the bracket that opens at `s`; backslashes and classes hide brackets. */
static const char *group_end(const char *s)
{
	int depth = 0;
	bool class = false;

	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (class || *s == '[')
			class = *s != ']';
		else if (*s == '(')
			depth++;
		else if (*s == ')' && !--depth)
			return s + 1;
	}
	return s;
}

/* Behind a quantifier: * + ? {n,m}. */
static const char *repeat_end(const char *s)
{
	if (*s == '{' && strchr(s, '}'))
		s = strchr(s, '}') + 1;
	return s + strspn(s, "*+?");
}

static bool optional(const char *s)
{
	return *s == '?' || *s == '*';
}

static void regex(struct buf *, const char *, const char *end);

/*
 * What a group of a regular expression matches: anything, or the content of a group that does not
 * capture.
 */
static void group(struct buf *b, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);
	bool rest = memmem(s, n, ".*", 2) || memmem(s, n, ".+", 2);

	if (optional(end))
		return;
	if (!strncmp(s, "(?:", 3) && !memchr(s, '|', n))
		regex(b, s + 3, end - 1);
	else
		buf_str(b, rest ? "{rest...}" : "{}");
}

/* `\d`, `\.`: `c` is what follows the backslash. */
static void escaped(struct buf *b, char c, const char *end)
{
	if (strchr("dDwWsS", c))
		buf_str(b, "{}");
	else if (c && !strchr("AbBzZ", c) && !optional(end))
		buf_byte(b, c);
}

/* A dot with its quantifier: at the end of the expression, it is the rest of the path. */
static void any_character(struct buf *b, const char *end)
{
	char next = *repeat_end(end);

	buf_str(b, next && next != '$' ? "{}" : "{rest...}");
}

/* One element of a regular expression; returns the text behind it. */
static const char *element(struct buf *b, const char *s)
{
	const char *end = s + 1;

	if (*s == '(') {
		end = group_end(s);
		group(b, s, end);
	} else if (*s == '[') {
		end = s + 1 + strcspn(s + 1, "]");
		if (*end == ']')
			end++;
		if (!optional(end))
			buf_str(b, "{}");
	} else if (*s == '\\') {
		if (s[1])
			end = s + 2;
		escaped(b, s[1], end);
	} else if (*s == '.') {
		any_character(b, end);
	} else if (!strchr("^$", *s) && !optional(end)) {
		buf_byte(b, *s);
	}
	return repeat_end(end);
}

static void regex(struct buf *b, const char *s, const char *end)
{
	while (s < end)
		s = element(b, s);
}

/* A regular expression over paths, as in Django and Tornado. */
static void regex_all(struct buf *b, const char *s)
{
	struct buf out = { 0 };

	regex(&out, s, s + strlen(s));
	buf_str(&out, "");
	loose(b, out.p);
	buf_free(&out);
}

/* Rails: what is in parentheses is optional; `*rest` matches everything that follows. */
static void rails(struct buf *b, const char *s)
{
	int depth = 0;

	if (*s && *s != '/')
		buf_byte(b, '/');
	for (; *s; s++) {
		depth += *s == '(';
		if (*s == '*' && !depth) {
			buf_str(b, "{rest...}");
			while (isalnum((unsigned char)s[1]) || s[1] == '_')
				s++;
		} else if (!depth) {
			buf_byte(b, *s);
		}
		depth -= *s == ')';
	}
}

/* JAX-RS: the leading slash may be missing; `{x: .*}` matches everything that follows. */
static void jaxrs(struct buf *b, const char *s)
{
	size_t n = strlen(s);
	const char *open = NULL;

	while (n > 1 && s[n - 1] == '/')
		n--;
	if (*s && *s != '/')
		buf_byte(b, '/');
	bool rest = n > 4 && (!memcmp(s + n - 4, ":.*}", 4) || !memcmp(s + n - 4, " .*}", 4));
	if (!rest) {
		buf_str(b, s);
		return;
	}
	open = memrchr(s, '{', n);
	if (open) {
		buf_put(b, s, (size_t)(open - s));
		buf_str(b, "{rest...}");
	} else {
		buf_put(b, s, n);
	}
}

/* The path that Spring Data derives from the name of a type: /customerOrders. */
static void plural(struct buf *b, const char *s)
{
	size_t n = strlen(s);
	bool y = n > 1 && s[n - 1] == 'y' && !strchr("aeiou", s[n - 2]);
	bool hiss = n > 1 && (strchr("sxz", s[n - 1]) || (s[n - 1] == 'h' && strchr("cs", s[n - 2])));
	const char *ending = "s";

	if (y)
		ending = "ies";
	else if (hiss)
		ending = "es";
	buf_byte(b, '/');
	if (n)
		buf_byte(b, (char)tolower((unsigned char)*s));
	if (n > 1)
		buf_put(b, s + 1, n - 1 - y);
	buf_str(b, ending);
}

/*
 * Rocket: `<id>` is a parameter, `<path..>` the rest; `?` begins what the query must contain.
 */
static void rocket(struct buf *b, const char *s)
{
	for (; *s && *s != '?'; s++) {
		size_t n = 0;
		if (*s == '<')
			n = strcspn(s, ">");
		if (!n || !s[n]) {
			buf_byte(b, *s);
			continue;
		}
		if (n > 2 && s[n - 1] == '.' && s[n - 2] == '.') {
			buf_str(b, "{rest...}");
			return;
		}
		buf_str(b, "{}");
		s += n;
	}
}

/* Laravel: `photos.comments` is /photos/{}/comments. */
static void dotted(struct buf *b, const char *s)
{
	if (*s && *s != '/')
		buf_byte(b, '/');
	for (; *s; s++)
		if (*s == '.')
			buf_str(b, "/{}/");
		else
			buf_byte(b, *s);
}

/* The end of the braces that open at `s`, behind them. */
static const char *behind_braces(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += (*s == '{') - (*s == '}');
		if (!depth)
			return s + 1;
	}
	return s;
}

/* Parameters that may be missing at the end of a path, [/{year}[/{month}]]: /{year?}/{month?} */
static void optional_parameters(struct buf *b, const char *s)
{
	while (!strncmp(s, "[/{", 3)) {
		const char *name = s + 3, *end = behind_braces(s + 2);
		if (*end != ']' && *end != '[')
			return;
		buf_str(b, "/{");
		buf_put(b, name, strcspn(name, ":}"));
		buf_str(b, "?}");
		s = end;
	}
}

/* FastRoute: what is in brackets is optional. */
static void brackets(struct buf *b, const char *s)
{
	int depth = 0, brace = 0;

	if (*s && *s != '/' && *s != '[')
		buf_byte(b, '/');
	for (; *s; s++) {
		if (*s == '[' && !brace && !depth)
			optional_parameters(b, s);
		brace += (*s == '{') - (*s == '}');
		depth += *s == '[' && !brace;
		if (!depth)
			buf_byte(b, *s);
		depth -= *s == ']' && !brace;
	}
}

/* The first of `@Route(`, `@Get(` and their kind in a comment; NULL if there is none. */
static const char *route_annotation(const char *s)
{
	static const char *const names[] = { "Route(", "Get(", "Post(", "Put(", "Patch(", "Delete(" };
	const char *at = NULL;

	for (size_t i = 0; i < LEN(names); i++) {
		const char *found = strstr(s, names[i]);
		if (found && found > s && strchr("@\\", found[-1]) && (!at || found < at))
			at = found;
	}
	return at;
}

/*
 * A comment with @Route("/users/{id}", methods={"GET"}), @Route(path="/users"),
 * @Rest\Get("/users").
 */
static void docroute(struct buf *b, const char *s)
{
	const char *at = route_annotation(s), *path;
	char text[300] = "";

	if (!at)
		return;
	at = strchr(at, '(') + 1;
	at += strspn(at, " \t\n*");
	path = strstr(at, "path");
	if (*at != '"' && path && path < at + strcspn(at, ")"))
		at = path + strcspn(path, "\"");
	if (*at == '"')
		snprintf(text, sizeof text, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
	loose(b, text);
}

/* NATS: `>` at the end is what AMQP calls `#`. */
static void nats(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	if (!n || s[n - 1] != '>') {
		buf_str(b, s);
		return;
	}
	buf_put(b, s, n - 1);
	buf_byte(b, '#');
}

/* The name of a queue: the last part of its URL or ARN. */
static void aws(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] != '/' && s[n - 1] != ':')
		n--;
	buf_str(b, s + n);
}

/*
 * A regular expression that matches topics from their start: the coordinator recognises it by the
 * ^ in front.
 */
static void expression(struct buf *b, const char *s)
{
	if (!*s)
		return;
	if (*s != '^')
		buf_byte(b, '^');
	buf_str(b, s);
}

/* A regular expression that must match the whole name of a topic. */
static void expression_whole(struct buf *b, const char *s)
{
	if (*s)
		buf_printf(b, "^(?:%s)$", s);
}

/* A regular expression that may match anywhere in the name. */
static void expression_within(struct buf *b, const char *s)
{
	if (!*s)
		return;
	if (*s != '^')
		buf_str(b, "^.*");
	buf_str(b, s);
}

/* `#{id}`, `${id}`: holes, whatever they contain. */
static void holes(struct buf *b, const char *text)
{
	for (; *text; text++) {
		const char *close = NULL;
		if (strchr("#$", *text) && text[1] == '{')
			close = strchr(text, '}');
		if (close) {
			buf_str(b, "{}");
			text = close;
		} else {
			buf_byte(b, *text);
		}
	}
}

/* user_orders is userOrders. */
static void camel(struct buf *b, const char *s)
{
	bool up = false;

	for (; *s; s++) {
		char c = *s;
		if (c == '_' && b->n && s[1]) {
			up = true;
			continue;
		}
		if (up)
			c = (char)toupper((unsigned char)c);
		buf_byte(b, c);
		up = false;
	}
}

/* resolve_user_orders is userOrders. */
static void resolver(struct buf *b, const char *s)
{
	if (!strncmp(s, "resolve_", 8))
		s += 8;
	camel(b, s);
}

/* Users is users. */
static void lower(struct buf *b, const char *s)
{
	if (*s)
		buf_byte(b, (char)tolower((unsigned char)*s));
	if (*s)
		buf_str(b, s + 1);
}

/* GetUsersAsync, getUsers are users. */
static void getter(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	if (n > 3 && strchr("gG", *s) && !strncmp(s + 1, "et", 2) && isupper((unsigned char)s[3])) {
		s += 3;
		n -= 3;
	}
	if (n > 5 && !strcmp(s + n - 5, "Async"))
		n -= 5;
	if (!n)
		return;
	buf_byte(b, (char)tolower((unsigned char)*s));
	buf_put(b, s + 1, n - 1);
}

/* A pattern of segments: GET -> Root / "users" / IntVar(id) :? Page(page) is /users/{}. */
static void segments(struct buf *b, const char *s)
{
	const char *end = strstr(s, ":?");

	s = strstr(s, "Root");
	if (!s)
		return;
	if (!end)
		end = s + strlen(s);
	buf_byte(b, '/');
	for (s = memchr(s, '/', (size_t)(end - s)); s && s < end;) {
		const char *from = s + 1, *to;
		s = memchr(from, '/', (size_t)(end - from));
		to = s ? s : end;
		while (from < to && isspace((unsigned char)*from))
			from++;
		while (to > from && isspace((unsigned char)to[-1]))
			to--;
		bool quoted = to - from > 1 && *from == '"' && to[-1] == '"';
		if (from == to)
			continue;
		if (b->n && b->p[b->n - 1] != '/')
			buf_byte(b, '/');
		if (quoted)
			buf_put(b, from + 1, (size_t)(to - from - 2));
		else
			buf_str(b, "{}");
	}
}

static const struct {
	const char *name;
	void (*write)(struct buf *, const char *text);
} styles[] = { { "loose", loose }, { "below", below }, { "prefix", prefix }, { "regex", regex_all },
	{ "rails", rails }, { "jaxrs", jaxrs }, { "plural", plural }, { "holes", holes },
	{ "rocket", rocket }, { "dotted", dotted }, { "brackets", brackets }, { "docroute", docroute },
	{ "nats", nats }, { "aws", aws }, { "expression", expression },
	{ "expression-whole", expression_whole }, { "expression-within", expression_within },
	{ "camel", camel }, { "resolver", resolver }, { "lower", lower }, { "getter", getter },
	{ "segments", segments } };

const char *route_syntax_convert(const char *style, const char *text, struct arena *a)
{
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		struct buf b = { 0 };
		if (strcmp(styles[i].name, style))
			continue;
		styles[i].write(&b, text);
		buf_str(&b, "");
		text = arena_str(a, b.p);
		buf_free(&b);
		break;
	}
	return text;
}

/* The part of a dotted name, counted from its end. */
static const char *part(const char *name, int back, size_t *n)
{
	const char *end = name + strlen(name), *s = end;

	for (;; s--) {
		if (s > name && s[-1] != '.')
			continue;
		*n = (size_t)(end - s);
		if (!back-- || s == name)
			return s;
		end = s - 1;
	}
}

static size_t without_end(const char *s, size_t n, const char *end)
{
	size_t len = strlen(end);

	if (n > len && !memcmp(s + n - len, end, len))
		return n - len;
	return n;
}

/* One token in brackets: [controller], [action], or another, which is a hole. */
static void token(struct buf *b, const char *s, size_t n, const char *symbol)
{
	bool controller = n == 10 && !memcmp(s, "controller", n),
	     action = n == 6 && !memcmp(s, "action", n);
	size_t len = 0;

	if (symbol && (controller || action))
		s = part(symbol, controller, &len);
	if (controller)
		len = without_end(s, len, "Controller");
	if (action)		/* ASP.NET leaves it out of an action's name */
		len = without_end(s, len, "Async");
	for (size_t i = 0; i < len; i++)	/* case does not count; requests are in lower case */
		buf_byte(b, (char)tolower((unsigned char)s[i]));
	if (!len)
		buf_str(b, "{}");
}

const char *route_syntax_expand_tokens(const char *text, const char *symbol, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = text; *s; s++) {
		const char *end = NULL;
		if (*s == '[')
			end = strchr(s, ']');
		if (end) {
			token(&b, s + 1, (size_t)(end - s - 1), symbol);
			s = end;
		} else {
			buf_byte(&b, *s);
		}
	}
	buf_str(&b, "");
	text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

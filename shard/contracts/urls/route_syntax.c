#include "shard/contracts/urls/route_syntax.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* A slash before may be missing. */
static void loose(struct buf *b, const char *s)
{
	if (*s && *s != '/')
		buf_byte(b, '/');
	buf_str(b, s);
}

/* What is mounted at a path and all below it stands at the path: /api/ and a star. */
static void below(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	buf_put(b, s, n > 1 && !strcmp(s + n - 2, "/*") ? n - 2 : n);
	buf_byte(b, '\0');
}

/* And all that begins so. */
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

/* Behind what says how often: * + ? {n,m}. */
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
 * What a group of a regular expression matches: anything, or what stands in a group that only
 * groups.
 */
static void group(struct buf *b, const char *s, const char *end)
{
	bool rest = memmem(s, (size_t)(end - s), ".*", 2) || memmem(s, (size_t)(end - s), ".+", 2);

	if (optional(end))
		return;
	if (strncmp(s, "(?:", 3) || memchr(s, '|', (size_t)(end - s)))
		buf_str(b, rest ? "{rest...}" : "{}");
	else
		regex(b, s + 3, end - 1);
}

/* One element of a regular expression that is not a letter; behind it. */
static const char *element(struct buf *b, const char *s)
{
	const char *end = s + 1;

	if (*s == '(') {
		end = group_end(s);
		group(b, s, end);
	} else if (*s == '[') {
		end = s + 1 + strcspn(s + 1, "]");
		end += *end == ']';
		if (!optional(end))
			buf_str(b, "{}");
	} else if (*s == '\\') {
		end = s + 1 + (s[1] != '\0');
		if (strchr("dDwWsS", s[1]))
			buf_str(b, "{}");
		else if (s[1] && !strchr("AbBzZ", s[1]) && !optional(end))
			buf_byte(b, s[1]);
	} else if (*s == '.') {
		buf_str(b, *repeat_end(end) && *repeat_end(end) != '$' ? "{}" : "{rest...}");
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

/* Rails: what stands in parentheses may be missing; `*rest` takes all that follows. */
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

/* JAX-RS: a slash before may be missing; `{x: .*}` takes all that follows. */
static void jaxrs(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	while (n > 1 && s[n - 1] == '/')
		n--;
	if (*s && *s != '/')
		buf_byte(b, '/');
	if (n > 4 && (!memcmp(s + n - 4, ":.*}", 4) || !memcmp(s + n - 4, " .*}", 4))) {
		const char *open = memrchr(s, '{', n);
		buf_put(b, s, (size_t)((open ? open : s + n) - s));
		buf_str(b, open ? "{rest...}" : "");
	} else {
		buf_str(b, s);
	}
}

/* What Spring Data makes of the name of a type: /customerOrders. */
static void plural(struct buf *b, const char *s)
{
	size_t n = strlen(s);
	bool y = n > 1 && s[n - 1] == 'y' && !strchr("aeiou", s[n - 2]);
	bool hiss = n > 1 && (strchr("sxz", s[n - 1]) || (s[n - 1] == 'h' && strchr("cs", s[n - 2])));

	buf_byte(b, '/');
	if (n)
		buf_byte(b, (char)tolower((unsigned char)*s));
	if (n > 1)
		buf_put(b, s + 1, n - 1 - y);
	buf_str(b, y ? "ies" : hiss ? "es" : "s");
}

/*
 * Rocket: `<id>` is a parameter, `<path..>` the rest; behind `?` stands what the query must have.
 */
static void rocket(struct buf *b, const char *s)
{
	for (; *s && *s != '?'; s++) {
		size_t n = 0;
		if (*s == '<')
			n = strcspn(s, ">");
		if (n > 2 && s[n] && s[n - 1] == '.' && s[n - 2] == '.') {
			buf_str(b, "{rest...}");
			return;
		}
		buf_str(b, n && s[n] ? "{}" : "");
		if (n && s[n])
			s += n;
		else
			buf_byte(b, *s);
	}
}

/* Laravel: `photos.comments` is /photos/{}/comments. */
static void dotted(struct buf *b, const char *s)
{
	buf_str(b, *s && *s != '/' ? "/" : "");
	for (; *s; s++)
		if (*s == '.')
			buf_str(b, "/{}/");
		else
			buf_byte(b, *s);
}

/* FastRoute: what stands in brackets may be missing. */
static void brackets(struct buf *b, const char *s)
{
	int depth = 0, brace = 0;

	if (*s && *s != '/' && *s != '[')
		buf_byte(b, '/');
	for (; *s; s++) {
		brace += (*s == '{') - (*s == '}');
		depth += *s == '[' && !brace;
		if (!depth)
			buf_byte(b, *s);
		depth -= *s == ']' && !brace;
	}
}

/*
 * A comment with @Route("/users/{id}", methods={"GET"}), @Route(path="/users"),
 * @Rest\Get("/users").
 */
static void docroute(struct buf *b, const char *s)
{
	static const char *const names[] = { "Route(", "Get(", "Post(", "Put(", "Patch(", "Delete(" };
	const char *at = NULL, *path;
	char text[300];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *found = strstr(s, names[i]);
		if (found && found > s && strchr("@\\", found[-1]) && (!at || found < at))
			at = found;
	}
	at = at ? strchr(at, '(') + 1 : "";
	at += strspn(at, " \t\n*");
	path = strstr(at, "path");
	if (*at != '"' && path && path < at + strcspn(at, ")"))
		at = path + strcspn(path, "\"");
	snprintf(
	    text, sizeof text, "%.*s", *at == '"' ? (int)strcspn(at + 1, "\"") : 0, *at ? at + 1 : at);
	loose(b, text);
}

/* NATS: `>` at the end is what AMQP calls `#`. */
static void nats(struct buf *b, const char *s)
{
	size_t n = strlen(s);
	bool rest = n && s[n - 1] == '>';

	buf_put(b, s, n - rest);
	buf_str(b, rest ? "#" : "");
}

/* A queue's URL, an ARN: its last part is the name. */
static void aws(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] != '/' && s[n - 1] != ':')
		n--;
	buf_str(b, s + n);
}

/*
 * An expression for topics from their beginning on: ^ stands in front, and the coordinator knows
 * it by that.
 */
static void expression(struct buf *b, const char *s)
{
	if (*s)
		buf_printf(b, "%s%s", *s == '^' ? "" : "^", s);
}

/* One that all of a topic's name must fit. */
static void expression_whole(struct buf *b, const char *s)
{
	if (*s)
		buf_printf(b, "^(?:%s)$", s);
}

/* One that may fit anywhere in it. */
static void expression_within(struct buf *b, const char *s)
{
	if (*s)
		buf_printf(b, "%s%s", *s == '^' ? "" : "^.*", s);
}

const char *class_handler(const char *text, const char *action, struct arena *a)
{
	const char *class = strstr(text, "::class"), *at = strchr(text, '@'), *from, *end, *method;

	text += strspn(text, "['\" \t\n\\");
	if (class)
		end = class;
	else if (at && *text != '@')
		end = at;
	else
		end = NULL;
	const char *suffix = strstr(text, "Controller");
	if (!end && action && suffix && !isalnum((unsigned char)suffix[10]) && suffix[10] != '#')
		end = class = suffix + 10;
	if (!end || end < text)
		return NULL;
	for (from = end; from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_'); from--)
		;
	method = end + (class && *end == ':' ? 7 : *end != '\0');
	method += strcspn(method, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	size_t n = strspn(method, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	if (from == end || (!class && !n))
		return NULL;
	if (!n)
		return arena_printf(
		    a, "%.*s.%s", (int)(end - from), from, action && *action ? action : "__invoke");
	return arena_printf(a, "%.*s.%.*s", (int)(end - from), from, (int)n, method);
}

const char *file_handler(const char *text, const char *action, struct arena *a)
{
	static const char *const endings[] = { ".tsx", ".ts", ".jsx", ".js", ".mjs", ".mdx" };
	size_t n = strlen(text), end = 0;

	for (size_t i = 0; i < LEN(endings) && n > 2 && strchr("\"'`", *text) && *action && !end; i++) {
		size_t m = strlen(endings[i]);
		if (n > m + 2 && !memcmp(text + n - 1 - m, endings[i], m))
			end = n - 1 - m;
		else
			end = 0;
	}
	if (end)
		return arena_printf(a, "%.*s.%s", (int)(end - 1), text + 1, action);
	return NULL;
}

const char *rails_handler(const char *text, const char *action, struct arena *a)
{
	struct buf b = { 0 };
	bool upper = true;

	text += strspn(text, ":\"'");
	size_t n = strcspn(text, "\"'");
	const char *hash = memchr(text, '#', n), *slash;
	if (!*action && !hash)
		return NULL;
	if (hash)
		action = arena_strn(a, hash + 1, (size_t)(text + n - hash) - 1);
	if (hash)
		n = (size_t)(hash - text);
	while ((slash = memchr(text, '/', n))) {
		n -= (size_t)(slash + 1 - text);
		text = slash + 1;
	}
	for (size_t i = 0; i < n; i++) {
		if (text[i] != '_')
			buf_byte(&b, upper ? (char)toupper((unsigned char)text[i]) : text[i]);
		upper = text[i] == '_';
	}
	buf_str(&b, "Controller.");
	buf_str(&b, action);
	text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

/* `#{id}`, `${id}`: holes, whatever stands in them. */
static void holes(struct buf *b, const char *text)
{
	while (*text) {
		const char *close = NULL;
		if (strchr("#$", *text) && text[1] == '{')
			close = strchr(text, '}');
		if (close)
			buf_str(b, "{}");
		else
			buf_byte(b, *text);
		if (close)
			text = close + 1;
		else
			text = text + 1;
	}
}

/* user_orders is userOrders. */
static void camel(struct buf *b, const char *s)
{
	for (bool up = false; *s; s++) {
		if (*s == '_' && b->n && s[1]) {
			up = true;
			continue;
		}
		buf_byte(b, (char)(up ? toupper((unsigned char)*s) : *s));
		up = false;
	}
}

/* resolve_user_orders is userOrders. */
static void resolver(struct buf *b, const char *s)
{
	camel(b, s + (strncmp(s, "resolve_", 8) ? 0 : 8));
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

	if (n > 3 && strchr("gG", *s) && !strncmp(s + 1, "et", 2) && isupper((unsigned char)s[3]))
		s += 3, n -= 3;
	if (n > 5 && !strcmp(s + n - 5, "Async"))
		n -= 5;
	for (size_t i = 0; i < n; i++)
		buf_byte(b, (char)(i ? s[i] : tolower((unsigned char)s[i])));
}

static const struct {
	const char *name;
	void (*write)(struct buf *, const char *text);
} styles[] = { { "loose", loose }, { "below", below }, { "prefix", prefix }, { "regex", regex_all },
	{ "rails", rails }, { "jaxrs", jaxrs }, { "plural", plural }, { "holes", holes },
	{ "rocket", rocket }, { "dotted", dotted }, { "brackets", brackets }, { "docroute", docroute },
	{ "nats", nats }, { "aws", aws }, { "expression", expression },
	{ "expression-whole", expression_whole }, { "expression-within", expression_within },
	{ "camel", camel }, { "resolver", resolver }, { "lower", lower }, { "getter", getter } };

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

static void token(struct buf *b, const char *s, size_t n, const char *symbol)
{
	static const char suffix[] = "Controller", async[] = "Async";
	bool controller = n == 10 && !memcmp(s, "controller", n),
	     action = n == 6 && !memcmp(s, "action", n);
	size_t len = 0;

	if (symbol && (controller || action))
		s = part(symbol, controller, &len);
	else
		s = "";
	if (controller && len > sizeof suffix - 1 &&
	    !memcmp(s + len - sizeof suffix + 1, suffix, sizeof suffix - 1))
		len -= sizeof suffix - 1;
	if (action && len > sizeof async - 1 &&
	    !memcmp(s + len - sizeof async + 1, async, sizeof async - 1))
		len -= sizeof async - 1;	/* ASP.NET leaves it out of an action's name */
	if (len)
		buf_put(b, s, len);
	else
		buf_str(b, "{}");
}

const char *route_syntax_expand_tokens(const char *text, const char *symbol, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = text; *s; s++) {
		const char *end = NULL;
		if (*s == '[')
			end = strchr(s, ']');
		if (end)
			token(&b, s + 1, (size_t)(end - s - 1), symbol);
		else
			buf_byte(&b, *s);
		if (end)
			s = end;
	}
	buf_str(&b, "");
	text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

/* nginx: which locations pass requests to which servers. */
#include <ctype.h>
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_WORDS = 12, DEEP = 12, MOST_SETS = 64, MOST_SERVERS = 64, MOST_REWRITES = 8,
    LONGEST_URL = 8000 };

struct nginx_word {
	const char *s;
	bool quoted;
};

/* One directive: its words, and its end: ; { } or 0 at the end of the text. */
struct nginx_directive {
	struct nginx_word word[MOST_WORDS];
	size_t n;
	uint32_t line;
	char end;
};

struct nginx_scanner {
	const char *s, *stop;
	uint32_t line;
	struct arena *a;
};

struct nginx_pair {
	const char *name, *value;
};

struct nginx_block {
	bool server, location;
	/* of a location; public hosts of a server; @name that try_files leads to */
	const char *modifier, *pattern, *hosts, *named;
	struct nginx_pair rewrite[MOST_REWRITES];
	size_t nrewrites;
	const char *pass;		/* an URL */
	uint32_t line;
};

struct nginx_parser {
	struct gateway_config *g;
	struct nginx_pair set[MOST_SETS], upstream[MOST_SERVERS];
	size_t nsets, nupstreams;
	struct nginx_block block[DEEP];
	size_t depth;
	const char *in_upstream;	/* whose servers are read */
	/* locations @name, and the pattern of the location that leads there */
	struct { const char *name, *path; } named[8];
	size_t nnamed;
};

/* ---- words ---- */

static void skip_blanks(struct nginx_scanner *c)
{
	for (; c->s < c->stop; c->s++) {
		if (*c->s == '#')
			while (c->s + 1 < c->stop && c->s[1] != '\n')
				c->s++;
		else if (*c->s == '\n')
			c->line++;
		else if (!isspace((unsigned char)*c->s))
			return;
	}
}

static const char *quoted_word(struct nginx_scanner *c)
{
	const char *from = c->s + 1, *end = memchr(from, *c->s, (size_t)(c->stop - from));

	if (!end)
		end = c->stop;
	for (const char *s = from; s < end; s++)
		c->line += *s == '\n';
	if (end < c->stop)
		c->s = end + 1;
	else
		c->s = end;
	return arena_strn(c->a, from, (size_t)(end - from));
}

/* Whether a brace within a word belongs to it: ${NAME}, or a{2} of a regular expression. */
static bool is_brace_of_word(const struct nginx_scanner *c)
{
	char before = c->s[-1], after = '\0';

	if (c->s + 1 < c->stop)
		after = c->s[1];
	return before == '$' || before == '{' || isdigit((unsigned char)after) || after == '{';
}

static bool is_template_brace(const struct nginx_scanner *c)
{
	return c->s + 1 < c->stop && c->s[0] == '{' && c->s[1] == '{';
}

/* The last byte of the braces that open at the scanner and belong to a word; NULL: they do not. */
static const char *braces_in_word(const struct nginx_scanner *c, const char *word)
{
	size_t n = (size_t)(c->stop - c->s);
	const char *end = NULL;

	if (*c->s != '{')
		return NULL;
	if (c->s > word && is_brace_of_word(c)) {
		end = memchr(c->s, '}', n);
	} else if (c->s == word && is_template_brace(c)) {	/* {{ a template's }} */
		end = memmem(c->s, n, "}}", 2);
		if (end)
			end++;
	} else {
		return NULL;
	}
	if (!end)
		end = c->s;
	return end;
}

static const char *plain_word(struct nginx_scanner *c)
{
	const char *from = c->s;

	for (; c->s < c->stop && !isspace((unsigned char)*c->s) && *c->s != ';'; c->s++) {
		const char *end = braces_in_word(c, from);
		if (end)
			c->s = end;
		else if (*c->s == '{' || *c->s == '}')
			break;
	}
	return arena_strn(c->a, from, (size_t)(c->s - from));
}

static bool directive_next(struct nginx_scanner *c, struct nginx_directive *d)
{
	*d = (struct nginx_directive){ 0 };
	for (skip_blanks(c); c->s < c->stop; skip_blanks(c)) {
		if (!d->n)
			d->line = c->line;
		if (*c->s == '}' && d->n)
			return true;	/* the semicolon is missing */
		bool ends = *c->s == ';' || *c->s == '}';
		if (ends || (*c->s == '{' && !is_template_brace(c))) {
			d->end = *c->s++;
			return true;
		}
		bool quoted = *c->s == '"' || *c->s == '\'';
		const char *s;
		if (quoted)
			s = quoted_word(c);
		else
			s = plain_word(c);
		if (d->n < MOST_WORDS)
			d->word[d->n++] = (struct nginx_word){ s, quoted };
	}
	return false;
}

static const char *arg(const struct nginx_directive *d, size_t i)
{
	if (i < d->n)
		return d->word[i].s;
	return "";
}

static bool is(const struct nginx_directive *d, const char *name)
{
	return d->n && !strcmp(d->word[0].s, name);
}

/* ---- passes ---- */

static const char *find(const struct nginx_pair *v, size_t n, const char *name)
{
	while (n--)
		if (!strcmp(v[n].name, name))
			return v[n].value;
	return NULL;
}

/* The length of the name of a variable `$name` or `${name}` at `s`; 0 if there is none. */
static size_t variable_name(const char *s, bool braces)
{
	size_t n = 0;

	if (*s != '$')
		return 0;
	s += 1 + braces;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* A URL with the values of the variables that `set` sets. */
static const char *expand_variables(const struct nginx_parser *c, const char *s)
{
	struct buf b = { 0 };

	while (*s && b.n <= LONGEST_URL) {
		bool braces = s[0] == '$' && s[1] == '{';
		size_t n = variable_name(s, braces);
		const char *value = NULL;
		if (n)
			value = find(c->set, c->nsets, arena_strn(c->g->a, s + 1 + braces, n));
		if (!value) {
			buf_byte(&b, *s++);
			continue;
		}
		buf_str(&b, value);
		s += 1 + n + 2 * braces;
	}
	if (b.n > LONGEST_URL) {
		budget_report_limit(c->g->budget, LONGEST_URL, "bytes of a URL", 0);
		b.n = 0;
	}
	const char *out = arena_strn(c->g->a, b.p, b.n);
	buf_free(&b);
	return out;
}

static bool is_local(const char *host)
{
	return !strncmp(host, "localhost", 9) || !strncmp(host, "127.", 4) ||
	    !strncmp(host, "unix:", 5);
}

static const char *const whole_uri[] = { "$request_uri", "$uri", "$document_uri" };

/* The URL without its path, the name of an upstream as its first server. */
static const char *behind_scheme(const char *url)
{
	const char *scheme = strstr(url, "://");

	if (scheme)
		return scheme + 3;
	return url;
}

/* The host of a URL; of an upstream, its first server. */
static const char *target_of(const struct nginx_parser *c, const char *url)
{
	const char *host = behind_scheme(url), *end = host + strcspn(host, "/");

	for (size_t i = 0; i < LEN(whole_uri); i++) {
		const char *uri = strstr(host, whole_uri[i]);
		if (uri && uri < end)
			end = uri;
	}
	const char *name = arena_strn(c->g->a, host, (size_t)(end - host)),
	           *server = find(c->upstream, c->nupstreams, name);
	if (server && !is_local(server))
		return server;
	return name;
}

/*
 * The URI of a proxy_pass, with which nginx replaces what the location matches; NULL if it has
 * none.
 */
static const char *uri_of(const char *url)
{
	const char *uri = strpbrk(behind_scheme(url), "/$");

	while (uri && *uri == '$') {	/* variables of the host */
		const char *close = NULL;
		if (uri[1] == '{')
			close = strchr(uri, '}');
		if (!close)
			close = uri;
		uri = strpbrk(close + 1, "/$");
	}
	return uri;
}

/* The part of a URI before a variable for the whole request URI; false: it has no such variable. */
static bool whole_uri_prefix(const char *url, const char *uri, struct arena *a, const char **prefix)
{
	for (size_t i = 0; i < LEN(whole_uri); i++) {
		const char *at = strstr(url, whole_uri[i]);
		if (!at)
			continue;
		*prefix = "/";
		if (uri && uri < at)
			*prefix = arena_strn(a, uri, (size_t)(at - uri));
		return true;
	}
	return false;
}

/*
 * Rewrite the path as nginx does: a URI replaces what the location matches; one with variables
 * replaces everything.
 */
static void pass(const struct nginx_parser *c, const struct nginx_block *b, struct path_rewrites *f)
{
	const char *url = expand_variables(c, b->pass), *uri = uri_of(url), *prefix;
	struct arena *a = c->g->a;

	for (size_t i = 0; i < b->nrewrites; i++)
		path_rewrite_replace_regex(f, b->rewrite[i].name, b->rewrite[i].value, true, a);
	if (whole_uri_prefix(url, uri, a, &prefix)) {
		if (strcmp(prefix, "/"))
			path_rewrite_add_prefix(f, prefix, a);
		return;
	}
	if (!uri || b->nrewrites)
		return;
	uri = arena_strn(a, uri, strcspn(uri, "?"));
	const char *args = strstr(uri, "$is_args");
	if (args)
		uri = arena_strn(a, uri, (size_t)(args - uri));
	if (*b->modifier == '~')
		path_rewrite_replace_regex(f, b->pattern, uri, true, a);
	else if (!strchr(uri, '$'))
		path_rewrite_replace_prefix(f, uri, a);
}

static enum path_rewrite_style style_of(const struct nginx_block *b)
{
	if (*b->modifier == '~')
		return PATH_REWRITE_REGEX;
	if (*b->modifier == '=')
		return PATH_REWRITE_EXACT;
	return PATH_REWRITE_TEXT_PREFIX;
}

static void put_location(struct nginx_parser *c, const struct nginx_block *b)
{
	struct path_rewrites f = { 0 };
	const char *pattern = b->pattern, *hosts = NULL;

	for (size_t i = 0; i < c->nnamed && *pattern == '@'; i++)
		if (!strcmp(c->named[i].name, pattern))
			pattern = c->named[i].path;
	if (*pattern == '@')
		pattern = "/";
	for (size_t i = 0; i < c->depth; i++) {
		if (c->block[i].hosts)
			hosts = c->block[i].hosts;
	}
	if (b->pass && path_rewrite_add(&f, style_of(b), pattern, c->g->a)) {
		pass(c, b, &f);
		gateway_put(c->g, &f, target_of(c, expand_variables(c, b->pass)), b->pass, hosts, b->line);
	}
}

/* ---- blocks ---- */

static void put_pair(
    struct nginx_pair *v, size_t *n, size_t max, const char *name, const char *value)
{
	if (*n < max)
		v[(*n)++] = (struct nginx_pair){ name, value };
}

/* The host names of a server: those without patterns and variables. */
static const char *names_of(struct nginx_parser *c, const struct nginx_directive *d)
{
	const char *all = NULL;

	for (size_t i = 1; i < d->n; i++) {
		const char *name = arg(d, i);
		if (*name && *name != '~' && strchr(name, '.') && !strchr(name, '$'))
			all = gateway_add_word(c->g->a, all, name);
	}
	return all;
}

/* The modifier and the pattern of a location: `location ~ \.php$`, `location =/x`. */
static void read_location(
    struct nginx_parser *c, const struct nginx_directive *d, struct nginx_block *b)
{
	if (d->n != 2) {
		b->modifier = arg(d, 1);
		b->pattern = arg(d, 2);
		return;
	}
	b->pattern = arg(d, 1);
	if ((*b->pattern == '=' || *b->pattern == '~') && b->pattern[1]) {
		b->modifier = arena_strn(c->g->a, b->pattern, strspn(b->pattern, "=~*"));
		b->pattern += strlen(b->modifier);
	}
}

static void open_block(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block b = {
		.server = is(d, "server"), .location = is(d, "location"), .modifier = "", .pattern = ""
	};

	if (is(d, "upstream"))
		c->in_upstream = arg(d, 1);
	if (b.location) {
		read_location(c, d, &b);
	} else if (c->depth && c->block[c->depth - 1].location) {
		/* `if` in a location belongs to the location */
		b.pattern = c->block[c->depth - 1].pattern;
		b.modifier = c->block[c->depth - 1].modifier;
	}
	if (c->depth < DEEP)
		c->block[c->depth] = b;
	c->depth++;
}

static void leave_block(struct nginx_parser *c)
{
	c->depth--;
	c->in_upstream = NULL;
}

static void close_block(struct nginx_parser *c)
{
	leave_block(c);
	if (c->depth < DEEP && c->block[c->depth].pass)
		put_location(c, &c->block[c->depth]);
}

/* Whether a `rewrite` changes the path that is passed, and does not redirect the client. */
static bool is_internal_rewrite(const struct nginx_directive *d)
{
	return is(d, "rewrite") && d->n > 2 && strcmp(arg(d, 3), "redirect") &&
	    strcmp(arg(d, 3), "permanent");
}

/* The innermost open block, or NULL. */
static struct nginx_block *current_block(struct nginx_parser *c)
{
	if (!c->depth || c->depth > DEEP)
		return NULL;
	return &c->block[c->depth - 1];
}

static void read_simple_directive(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block *b = current_block(c);

	if (!b)
		return;
	if (is(d, "server_name")) {
		b->hosts = names_of(c, d);
	} else if ((is(d, "proxy_pass") || is(d, "uwsgi_pass")) && d->n > 1) {
		b->pass = arg(d, 1);
		b->line = d->line;
	} else if (*b->pattern && is_internal_rewrite(d)) {
		put_pair(b->rewrite, &b->nrewrites, MOST_REWRITES, arg(d, 1),
		    arena_strn(c->g->a, arg(d, 2), strcspn(arg(d, 2), "?")));
	}
}

/* A location that `try_files` leads to. */
static void add_named_location(
    struct nginx_parser *c, const struct nginx_block *from, const char *name)
{
	if (*name != '@' || c->nnamed == LEN(c->named))
		return;
	c->named[c->nnamed].name = name;
	c->named[c->nnamed].path = "/";
	if (from->location)
		c->named[c->nnamed].path = from->pattern;
	c->nnamed++;
}

/*
 * Collect what must be known before any location: variables, servers of upstreams, and what leads
 * to named locations.
 */
static void collect_variables(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block *b = current_block(c);
	bool upstream_server = c->in_upstream && is(d, "server") && d->n > 1;

	if (is(d, "set") && d->n > 2 && *arg(d, 1) == '$')
		put_pair(c->set, &c->nsets, MOST_SETS, arg(d, 1) + 1, arg(d, 2));
	else if (upstream_server && !find(c->upstream, c->nupstreams, c->in_upstream))
		put_pair(c->upstream, &c->nupstreams, MOST_SERVERS, c->in_upstream, arg(d, 1));
	else if (is(d, "try_files") && b)
		add_named_location(c, b, arg(d, d->n - 1));
}

static void walk(struct nginx_parser *c, const char *text, size_t n, uint32_t line,
    void (*each)(struct nginx_parser *, const struct nginx_directive *),
    void (*close)(struct nginx_parser *))
{
	struct nginx_scanner s = { .s = text, .stop = text + n, .line = line, .a = c->g->a };
	struct nginx_directive d;

	c->depth = 0;
	while (directive_next(&s, &d) && budget_spend(c->g->budget, d.n + 1, d.line)) {
		if (d.end == '{')
			open_block(c, &d);
		else if (d.end != '}')
			each(c, &d);
		else if (c->depth)
			close(c);
	}
}

void gateway_nginx(struct gateway_config *g, const char *text, size_t n, uint32_t line)
{
	struct nginx_parser c = { .g = g };

	walk(&c, text, n, line, collect_variables, leave_block);
	walk(&c, text, n, line, read_simple_directive, close_block);
}

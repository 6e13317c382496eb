/* nginx: which locations pass what on to whom. */
#include <ctype.h>
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_WORDS = 12, DEEP = 12, MOST_SETS = 64, MOST_SERVERS = 64, MOST_REWRITES = 8,
    LONGEST_URL = 8000 };

struct nginx_word {
	const char *s;
	bool quoted;
};

/* One directive: its words, and what it ends with: ; { } or 0 at the end of the text. */
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
	/* locations @name, and the pattern that leads there */
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

/* Braces that belong to a word: ${NAME}, a{2} of an expression. */
static const char *plain_word(struct nginx_scanner *c)
{
	const char *from = c->s;

	for (; c->s < c->stop && !isspace((unsigned char)*c->s) && *c->s != ';'; c->s++) {
		if (*c->s == '{' && c->s > from &&
		    (c->s[-1] == '$' ||
		        (c->s + 1 < c->stop && (isdigit((unsigned char)c->s[1]) || c->s[1] == '{')) ||
		        c->s[-1] == '{')) {
			const char *end = memchr(c->s, '}', (size_t)(c->stop - c->s));
			if (end)
				c->s = end;
		} else if (*c->s == '{' && c->s == from && c->s + 1 < c->stop && c->s[1] == '{') {
			/* {{ a template's }} */
			const char *end = memmem(c->s, (size_t)(c->stop - c->s), "}}", 2);
			if (end)
				c->s = end + 1;
		} else if (*c->s == '{' || *c->s == '}') {
			break;
		}
	}
	return arena_strn(c->a, from, (size_t)(c->s - from));
}

static bool directive_next(struct nginx_scanner *c, struct nginx_directive *d)
{
	*d = (struct nginx_directive){ 0 };
	for (skip_blanks(c); c->s < c->stop; skip_blanks(c)) {
		if (!d->n)
			d->line = c->line;
		bool braces = c->s[0] == '{' && c->s + 1 < c->stop && c->s[1] == '{';
		if (*c->s == ';' || (*c->s == '{' && !braces) || *c->s == '}') {
			if (*c->s == '}' && d->n)
				return true;	/* a lost semicolon */
			d->end = *c->s++;
			return true;
		}
		bool quoted = *c->s == '"' || *c->s == '\'';
		const char *s = quoted ? quoted_word(c) : plain_word(c);
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

/* A URL with the variables that `set` gives. */
static const char *expand_variables(const struct nginx_parser *c, const char *s)
{
	struct buf b = { 0 };

	while (*s && b.n <= LONGEST_URL) {
		size_t n = 0;
		bool braces = s[0] == '$' && s[1] == '{';
		if (*s == '$')
			while (isalnum((unsigned char)s[1 + braces + n]) || s[1 + braces + n] == '_')
				n++;
		const char *name = arena_strn(c->g->a, s + 1 + braces, n),
		           *value = n ? find(c->set, c->nsets, name) : NULL;
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
	const char *out = arena_strn(c->g->a, b.p ? b.p : "", b.n);
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
static const char *target_of(const struct nginx_parser *c, const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url,
	           *end = host + strcspn(host, "/");

	for (size_t i = 0; i < LEN(whole_uri); i++)
		if (strstr(host, whole_uri[i]) && strstr(host, whole_uri[i]) < end)
			end = strstr(host, whole_uri[i]);
	const char *name = arena_strn(c->g->a, host, (size_t)(end - host)),
	           *server = find(c->upstream, c->nupstreams, name);
	if (server && !is_local(server))
		return server;
	return name;
}

/*
 * Where the URI of a proxy_pass begins that nginx puts in place of what the location matches;
 * NULL: it has none.
 */
static const char *uri_of(const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url,
	           *uri = strpbrk(host, "/$");

	while (uri && *uri == '$')	/* variables of the host */ {
		if (uri[1] == '{' && strchr(uri, '}'))
			uri = strpbrk(strchr(uri, '}') + 1, "/$");
		else
			uri = strpbrk(uri + 1, "/$");
	}
	return uri;
}

/*
 * What the target sees, by nginx's rules: a URI takes the place of the location, one with
 * variables that of everything.
 */
static void pass(const struct nginx_parser *c, const struct nginx_block *b, struct path_rewrites *f)
{
	const char *url = expand_variables(c, b->pass), *uri = uri_of(url);
	bool regex = *b->modifier == '~', broken = false;
	struct arena *a = c->g->a;

	for (size_t i = 0; i < b->nrewrites; i++) {
		path_rewrite_replace_regex(f, b->rewrite[i].name, b->rewrite[i].value, true, a);
		broken = true;
	}
	for (size_t i = 0; i < LEN(whole_uri); i++) {
		const char *at = strstr(url, whole_uri[i]);
		const char *slash = NULL;
		if (at && uri && uri < at)
			slash = arena_strn(a, uri, (size_t)(at - uri));
		if (at) {
			if (slash && strcmp(slash, "/"))
				path_rewrite_add_prefix(f, slash, a);
			return;
		}
	}
	if (!uri || broken)
		return;
	uri = arena_strn(a, uri, strcspn(uri, "?"));
	for (const char *args = strstr(uri, "$is_args"); args; args = NULL)
		uri = arena_strn(a, uri, (size_t)(args - uri));
	if (regex)
		path_rewrite_replace_regex(f, b->pattern, uri, true, a);
	else if (!strchr(uri, '$'))
		path_rewrite_replace_prefix(f, uri, a);
}

static void put_location(struct nginx_parser *c, const struct nginx_block *b)
{
	struct path_rewrites f = { 0 };
	const char *pattern = b->pattern, *hosts = NULL;
	bool regex = *b->modifier == '~';

	for (size_t i = 0; i < c->nnamed && *pattern == '@'; i++)
		if (!strcmp(c->named[i].name, pattern))
			pattern = c->named[i].path;
	if (*pattern == '@')
		pattern = "/";
	for (size_t i = 0; i < c->depth; i++) {
		if (c->block[i].hosts)
			hosts = c->block[i].hosts;
	}
	enum path_rewrite_style style = regex ? PATH_REWRITE_REGEX :
	    *b->modifier == '='               ? PATH_REWRITE_EXACT :
	                                        PATH_REWRITE_TEXT_PREFIX;
	if (b->pass && path_rewrite_add(&f, style, pattern, c->g->a)) {
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

static const char *names_of(struct nginx_parser *c, const struct nginx_directive *d)
{
	const char *all = NULL;

	for (size_t i = 1; i < d->n; i++)
		if (strchr(arg(d, i), '.') && !strchr("~$", *arg(d, i)) && !strchr(arg(d, i), '$'))
			all = arena_printf(c->g->a, "%s%s%s", all ? all : "", all ? " " : "", arg(d, i));
	return all;
}

static void open_block(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block b = {
		.server = is(d, "server"), .location = is(d, "location"), .modifier = "", .pattern = ""
	};

	if (is(d, "upstream"))
		c->in_upstream = arg(d, 1);
	if (b.location) {
		bool alone = d->n == 2;
		b.pattern = arg(d, alone ? 1 : 2);
		if (alone)
			b.modifier = "";
		else
			b.modifier = arg(d, 1);
		if (alone && strchr("=~", *b.pattern) && b.pattern[1]) {	/* =/x */
			b.modifier = arena_strn(c->g->a, b.pattern, strspn(b.pattern, "=~*"));
			b.pattern += strlen(b.modifier);
		}
	} else if (c->depth && c->block[c->depth - 1].location) {
		/* `if` in a location is the location */
		b.pattern = c->block[c->depth - 1].pattern;
		b.modifier = c->block[c->depth - 1].modifier;
	}
	if (c->depth < DEEP)
		c->block[c->depth] = b;
	c->depth++;
}

static void close_block(struct nginx_parser *c)
{
	if (!c->depth)
		return;
	c->depth--;
	if (c->depth < DEEP && c->block[c->depth].pass)
		put_location(c, &c->block[c->depth]);
	c->in_upstream = NULL;
}

static void read_simple_directive(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block *b = NULL;

	if (c->depth && c->depth <= DEEP)
		b = &c->block[c->depth - 1];
	if (is(d, "server_name") && b) {
		b->hosts = names_of(c, d);
	} else if ((is(d, "proxy_pass") || is(d, "uwsgi_pass")) && b && d->n > 1) {
		b->pass = arg(d, 1);
		b->line = d->line;
	} else if (is(d, "rewrite") && b && d->n > 2 && *b->pattern && strcmp(arg(d, 3), "redirect") &&
	    strcmp(arg(d, 3), "permanent")) {
		put_pair(b->rewrite, &b->nrewrites, MOST_REWRITES, arg(d, 1),
		    arena_strn(c->g->a, arg(d, 2), strcspn(arg(d, 2), "?")));
	}
}

/*
 * What must be known before any location is: variables, servers of upstreams, what leads to named
 * locations.
 */
static void collect_variables(struct nginx_parser *c, const struct nginx_directive *d)
{
	struct nginx_block *b = NULL;

	if (c->depth && c->depth <= DEEP)
		b = &c->block[c->depth - 1];
	if (is(d, "set") && d->n > 2 && *arg(d, 1) == '$') {
		put_pair(c->set, &c->nsets, MOST_SETS, arg(d, 1) + 1, arg(d, 2));
	} else if (c->in_upstream && is(d, "server") && d->n > 1 &&
	    !find(c->upstream, c->nupstreams, c->in_upstream)) {
		put_pair(c->upstream, &c->nupstreams, MOST_SERVERS, c->in_upstream, arg(d, 1));
	} else if (is(d, "try_files") && b && *arg(d, d->n - 1) == '@' && c->nnamed < LEN(c->named)) {
		c->named[c->nnamed].name = arg(d, d->n - 1);
		c->named[c->nnamed++].path = b->location ? b->pattern : "/";
	}
}

static void walk(struct nginx_parser *c, const char *text, size_t n, uint32_t line,
    void (*each)(struct nginx_parser *, const struct nginx_directive *), bool last)
{
	struct nginx_scanner s = { .s = text, .stop = text + n, .line = line, .a = c->g->a };
	struct nginx_directive d;

	c->depth = 0;
	while (directive_next(&s, &d) && budget_spend(c->g->budget, d.n + 1, d.line)) {
		if (d.end == '{') {
			open_block(c, &d);
		} else if (d.end == '}') {
			if (last)
				close_block(c);
			else if (c->depth)
				c->depth--, c->in_upstream = NULL;
		} else {
			each(c, &d);
		}
	}
}

void gateway_nginx(struct gateway_config *g, const char *text, size_t n, uint32_t line)
{
	struct nginx_parser c = { .g = g };

	walk(&c, text, n, line, collect_variables, false);
	walk(&c, text, n, line, read_simple_directive, true);
}

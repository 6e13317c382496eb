#include "shard/contracts/contracts_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "shard/contracts/gateways/path_rewrite_code.h"
#include "shard/contracts/paths/route_syntax.h"
#include "shard/contracts/paths/url_path.h"

/* Whether `text` can be a route; a map's key or a setting's name cannot. */
static bool rooted(const char *text)
{
	if (!*text || *text == '/' || *text == '*')
		return true;
	return !strncmp(text, "{}", 2) && text[2];
}

/* ServeMux: `[METHOD ][HOST]/path`, where a slash at the end means everything below. */
static const char *mux_pattern(struct arena *a, const char *text, struct fact *f)
{
	const char *space = strchr(text, ' '), *slash;

	if (space) {
		f->method = verb_in(arena_strn(a, text, (size_t)(space - text)));
		text = space + 1 + strspn(space + 1, " ");
	}
	slash = strchr(text, '/');
	if (!f->method || !slash)
		return NULL;
	size_t n = strlen(slash);
	if (slash[n - 1] == '/')
		return arena_printf(a, "%s{rest...}", slash);
	return slash;
}

/* ASP.NET: tokens of both become names; a path that begins with / or ~ is absolute. */
static void expand_aspnet(
    struct fact_builder *c, const struct fact *f, const char **prefix, const char **text)
{
	const char *symbol = f->symbol, *dot = NULL;

	if (symbol && c->under)
		dot = strrchr(symbol, '.');
	if (dot)
		symbol = arena_printf(c->a, "%s%s", c->under->d->name, dot);
	if (**text == '/' || **text == '~')
		*prefix = "";
	else
		*prefix = route_syntax_expand_tokens(*prefix, symbol, c->a);
	if (**text == '~')
		++*text;
	*text = route_syntax_expand_tokens(arena_printf(c->a, "/%s", *text), symbol, c->a);
}

bool fact_provides(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f)
{
	if (s->style && !strcmp(s->style, "mux")) {
		text = mux_pattern(c->a, text, f);
		if (!text)
			return false;
	}
	if (s->style && !strcmp(s->style, "aspnet"))
		expand_aspnet(c, f, &prefix, &text);
	/* mounted at a path that is known only at run time */
	if (!strncmp(prefix, "{}", 2) && (!prefix[2] || prefix[2] == '/')) {
		prefix += 2;
		f->reason = "dynamic";
		f->partial = true;
	}
	bool glued = s->style && !strcmp(s->style, "glued"),
	     joined = glued || (s->style && !strcmp(s->style, "joined"));
	bool path = rooted(text) || (joined && c->bound);
	if (!path || (!*prefix && !strcmp(text, "/{}")))	/* nothing of it is known */
		return false;
	if (!strncmp(text, "{}/", 3) && !*prefix) {
		text += 2;
		f->reason = "dynamic";
		f->partial = true;
	}
	const char *between = "/";
	if (glued && *prefix && *text != '/')
		between = "";
	f->path = url_path(arena_printf(c->a, "%s%s%s", prefix, between, text), true, c->a);
	return true;
}

/* A page, script, style or picture is a file of a web site and no contract. */
static bool is_asset(const char *path)
{
	static const char *const ends[] = { ".html", ".htm", ".css", ".js", ".mjs", ".map", ".png",
		".jpg", ".jpeg", ".gif", ".svg", ".ico", ".woff", ".woff2", ".ttf", ".wasm", ".webp",
		".mp3", ".mp4", ".glb" };
	size_t n = strlen(path);

	for (size_t i = 0; i < LEN(ends); i++)
		if (n > strlen(ends[i]) && !strcmp(path + n - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

/*
 * The part of a base that stays before a path that is resolved against it (RFC 3986): only the host
 * if the path begins with a slash (styles `resolve` and `rfc`), else all before the last slash
 * (`rfc`).
 */
static const char *base_below(
    const char *style, const char *base, const char *text, struct arena *a)
{
	if (!style || !*text)
		return base;
	bool rfc = !strcmp(style, "rfc"), absolute = *text == '/' && text[1] != '/';
	if (!rfc && strcmp(style, "resolve"))
		return base;
	const char *scheme = strstr(base, "://"), *host = base;
	if (scheme)
		host = scheme + 3;
	const char *path = host + strcspn(host, "/");
	if (absolute)
		return arena_strn(a, base, (size_t)(path - base));
	if (!rfc || !*path)
		return base;
	return arena_strn(a, base, (size_t)(strrchr(path, '/') - base) + 1);
}

/* Whether the URL is one of a part of the page, or of local data. */
static bool is_local_scheme(const char *url)
{
	static const char *const schemes[] = { "#", "data:", "blob:", "file:", "jar:", "classpath:" };

	for (size_t i = 0; i < LEN(schemes); i++)
		if (!strncmp(url, schemes[i], strlen(schemes[i])))
			return true;
	return false;
}

/* Read the method of `GET /users` into the fact; returns the text behind it. */
static const char *take_method(struct fact_builder *c, const char *text, struct fact *f)
{
	const char *space = strchr(text, ' '), *method;

	if (!space || !isupper((unsigned char)*text))
		return text;
	method = verb_in(arena_strn(c->a, text, (size_t)(space - text)));
	if (!method)
		return text;
	f->method = method;
	return space + 1;
}

/*
 * The text without the word that it begins with if that says that the base is not set yet:
 * `TODO/users`.
 */
static const char *without_placeholder(struct arena *a, const char *text)
{
	static const char *const words[] = { "unset", "undefined", "null", "None", "TODO", "TBD",
		"FIXME", "changeme", "placeholder" };
	size_t n = strcspn(text, "/");

	for (size_t i = 0; i < LEN(words); i++)
		if (n == strlen(words[i]) && !memcmp(text, words[i], n))
			return arena_printf(a, "{}%s", text + n);
	return text;
}

/* A path below the prefix of its client. */
static const char *below_client(
    struct fact_builder *c, const char *style, const char *prefix, const char *text)
{
	if (!strncmp(text, "{}/", 3))	/* a builder that already has the prefix */
		text += 2;
	prefix = base_below(style, prefix, text, c->a);
	if (*text == '/' && !strcmp(prefix, "/"))
		return text;
	if (*text && *text != '/')
		return arena_printf(c->a, "%s/%s", prefix, text);
	return arena_printf(c->a, "%s%s", prefix, text);
}

bool fact_consumes(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f)
{
	bool absolute = strstr(text, "://") || !*prefix;

	text = without_placeholder(c->a, take_method(c, text, f));
	prefix = without_placeholder(c->a, prefix);
	if (!strncmp(text, "{{", 2) && strstr(text, "}}"))	/* a placeholder of a page's template */
		text = arena_printf(c->a, "{}%s", strstr(text, "}}") + 2);
	if (!absolute && !strcmp(text, "{}")) {		/* perhaps a whole URL */
		url_split(prefix, c->a, &f->host, &f->path);
		f->path = "{}";
		f->reason = "dynamic";
		return true;
	}
	if (!absolute)
		text = below_client(c, s->style, prefix, text);
	if (s->absolute && strncmp(text, "http", 4) && strncmp(text, "{}://", 5))
		return false;
	if (is_local_scheme(text))
		return false;
	if (!url_split(text, c->a, &f->host, &f->path))
		f->reason = "dynamic";
	return !is_asset(f->path);
}

/* Read the public path of a proxy in code; false: it cannot be understood. */
static bool forwards_of(
    struct path_rewrites *f, const char *style, const char *text, const char *base, struct arena *a)
{
	if (style && !strcmp(style, "named"))
		return path_rewrite_add_named(f, text, base, a);
	if (*text == '^')
		return path_rewrite_add(f, PATH_REWRITE_REGEX, text, a);
	if (strchr(text, '*') || (style && !strcmp(style, "ant")))
		return path_rewrite_add(f, PATH_REWRITE_ANT, text, a);
	return path_rewrite_add(f, PATH_REWRITE_TEXT_PREFIX, text, a);
}

bool fact_forwards(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f)
{
	const struct syntax_tree *t = c->in->t;
	struct path_rewrites v = { 0 };
	const char *base = "";

	if (*prefix)
		url_split(prefix, c->a, &f->host, &base);
	else if (!ts_node_is_null(s->service))
		f->host = "{}";
	if (!f->host || (*text != '/' && *text != '^') || !forwards_of(&v, s->style, text, base, c->a))
		return false;
	if (!ts_node_is_null(s->rewrite))
		path_rewrite_from_code(&v,
		    arena_strn(c->a, t->text + node_start_byte(s->rewrite), node_len(s->rewrite)), c->a);
	if (strlen(base) > 1 && (!s->style || strcmp(s->style, "named")))
		path_rewrite_add_prefix(&v, base, c->a);
	if (!ts_node_is_null(s->service))
		f->raw = node_raw(t, s->service, c->a);
	f->path = v.v[0].path;
	f->to = path_rewrite_target(&v.v[0], c->a);
	return true;
}

static const char *topic_name(const struct contract_site *s, const char *text, struct arena *a)
{
	if (s->style && !strcmp(s->style, "aws"))
		return route_syntax_convert(s->style, text, a);
	return text;
}

/* The only prefix of the object that a node is, which is its name; "" if it has none. */
static const char *name_of_object(struct fact_builder *c, TSNode n, const struct call_frame *given)
{
	struct site_object object = { 0 };
	struct prefixes names = { 0 };

	if (object_find(c, (struct expression){ c->in, n, given }, &object))
		object_prefixes(c, &object, false, &names);
	if (names.n == 1)
		return names.v[0];
	return "";
}

/*
 * The name that an expression of a site gives, in the style of its path; NULL: it is not all known.
 */
static const char *named_by_site(
    struct fact_builder *c, const struct contract_site *s, const struct call_frame *given, TSNode n)
{
	const char *text = "";

	if (!ts_node_is_null(n)) {
		text = expression_text(&c->ask, (struct expression){ c->in, n, given });
		if (!*text || strchr(text, '{'))
			text = name_of_object(c, n, given);
	}
	text = topic_name(s, text, c->a);
	if (*text && !strchr(text, '{'))
		return text;
	return NULL;
}

bool fact_topic(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, const char *prefix, const char *text, struct fact *f)
{
	if (!*text)
		text = topic_name(s, prefix, c->a);
	f->path = arena_str(c->a, text);
	f->host = named_by_site(c, s, given, s->exchange);
	if (!f->host && c->provides && !ts_node_is_null(s->exchange))
		f->host = "{}"; /* one without a name that is known */
	if (strstr(f->path, "#{") || !f->path[strspn(f->path, "{}.-_/")]) {
		f->path = "{}";
		f->reason = "dynamic";
	}
	if (f->host && !strcmp(f->host, f->path))
		f->host = NULL;		/* without a key, the exchange is the name */
	if (strcmp(c->fw->side, "forwards"))
		return !c->provides || !f->reason;
	f->to = named_by_site(c, s, given, s->queue);
	if (!f->to)
		f->side = "provides";
	return !f->reason;
}

/* ---- pieces ---- */

struct expression expression_member(
    struct dataflow_context *a, struct expression t, const char *keys)
{
	struct expression m = { 0 };

	if (!keys)
		return t;
	for (size_t n; *keys && ts_node_is_null(m.n); keys += n + (keys[n] == ' ')) {
		n = strcspn(keys, " ");
		m = origin_member(a, t, arena_strn(a->a, keys, n));
	}
	return m;
}

const char *expression_text(struct dataflow_context *a, struct expression t)
{
	struct buf b = { 0 };

	if (!ts_node_is_null(t.n))
		url_text(a, t, &b);
	const char *s = arena_strn(a->a, b.p, b.n);
	buf_free(&b);
	return s;
}

/* The value of the setting whose key contains a text in place of @; NULL if it is not set. */
static const char *setting_text(
    struct dataflow_context *a, struct contract_file *in, const char *setting, const char *text)
{
	const char *at = strchr(setting, '@');

	if (at)
		setting = arena_printf(a->a, "%.*s%s%s", (int)(at - setting), setting, text, at + 1);
	return url_setting(a, in, setting);
}

/* The text of a part's own node `t`; NULL: it is the member of an object that has none. */
static const char *part_node_text(struct dataflow_context *a, const struct path_part *p,
    struct expression object, struct expression t)
{
	if (p->keys && ts_node_is_null(t.n)) {
		if (literal_is_open(a, object))
			return URL_PARAMETER;
		return NULL;
	}
	if (ts_node_is_null(t.n) || !p->word)
		return expression_text(a, t);
	const char *from = t.in->t->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	if (*from == ':') {
		from++;
		n--;
	}
	return arena_strn(a->a, from, n);
}

/* The part with what comes before and after it. */
static const char *join_part(
    struct arena *a, const struct path_part *p, const char *base, const char *text)
{
	struct buf b = { 0 };

	if (p->prefix)
		buf_str(&b, p->prefix);
	buf_str(&b, base);
	bool slash = *base && base[strlen(base) - 1] == '/';
	if (slash && *text == '/')
		text++;
	else if (*base && !slash && *text != '/')
		buf_byte(&b, '/');
	buf_str(&b, text);
	if (p->append)
		buf_str(&b, p->append);
	text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

const char *path_part_text(struct dataflow_context *a, struct contract_file *in,
    const struct path_part *p, const struct call_frame *given)
{
	struct expression object = { in, p->node, given }, t = { 0 };
	const char *base = "";

	if (!ts_node_is_null(p->node))
		t = expression_member(a, object, p->keys);
	if (!ts_node_is_null(p->base))
		base = expression_text(a, (struct expression){ in, p->base, given });
	const char *text = part_node_text(a, p, object, t);
	if (!text)
		return NULL;
	if (p->setting) {
		const char *set = setting_text(a, in, p->setting, text);
		if (!set && !p->otherwise)
			return NULL;
		if (set)
			text = set;
	}
	if (p->style)
		text = route_syntax_convert(p->style, text, a->a);
	return join_part(a->a, p, base, text);
}

const char *framework_match_prefix(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given)
{
	struct path_part piece = path_part_of(p, ROLE_PREFIX);

	return text_or_empty(path_part_text(a, in, &piece, given));
}

#include "shard/contracts/contracts_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "shard/contracts/gateways/path_rewrite_code.h"
#include "shard/contracts/urls/route_syntax.h"

/* Whether `text` can be a route; a map's key or a setting's name cannot. */
static bool rooted(const char *text)
{
	return !*text || *text == '/' || *text == '*' || (!strncmp(text, "{}", 2) && text[2]);
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

/* ---- composing ---- */

bool fact_provides(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f)
{
	if (s->style && !strcmp(s->style, "mux")) {
		text = mux_pattern(c->a, text, f);
		if (!text)
			return false;
	}
	if (s->style && !strcmp(s->style, "aspnet")) {
		const char *dot = f->symbol && c->under ? strrchr(f->symbol, '.') : NULL;
		const char *symbol = dot ? arena_printf(c->a, "%s%s", c->under->d->name, dot) : f->symbol;
		if (*text == '/' || *text == '~')
			prefix = "";
		else
			prefix = route_syntax_expand_tokens(prefix, symbol, c->a);
		text = route_syntax_expand_tokens(
		    arena_printf(c->a, "/%s", text + (*text == '~')), symbol, c->a);
	}
	/* mounted on what only running it says */
	if (!strncmp(prefix, "{}", 2) && (!prefix[2] || prefix[2] == '/')) {
		prefix += 2;
		f->reason = "dynamic";
	}
	if (!rooted(text) || (!*prefix && !strcmp(text, "/{}")))	/* nothing of it is known */
		return false;
	if (!strncmp(text, "{}/", 3) && !*prefix) {
		text += 2;
		f->reason = "dynamic";
	}
	f->path = url_path(arena_printf(c->a, "%s/%s", prefix, text), true, c->a);
	return true;
}

/* A page, script, style or picture is a file of a site, no contract. */
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
 * What of a base stays before a path that is resolved below it (RFC 3986): only the host when the
 * path begins with a slash (styles `resolve`, `rfc`), and what is before the last slash (`rfc`).
 */
static const char *base_below(
    const char *style, const char *base, const char *text, struct arena *a)
{
	bool rfc = style && !strcmp(style, "rfc"), rooted = *text == '/' && text[1] != '/';
	const char *host = strstr(base, "://") ? strstr(base, "://") + 3 : base,
	           *path = host + strcspn(host, "/");

	if (!style || !*text || (!rfc && strcmp(style, "resolve")) || !(rooted || (rfc && *path)))
		return base;
	return arena_strn(
	    a, base, rooted ? (size_t)(path - base) : (size_t)(strrchr(path, '/') - base) + 1);
}

bool fact_consumes(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f)
{
	const char *space = strchr(text, ' '), *said;
	bool absolute = strstr(text, "://") || !*prefix;

	if (space && isupper((unsigned char)*text) &&
	    (said = verb_in(arena_strn(c->a, text, (size_t)(space - text))))) {
		f->method = said;
		text = space + 1;
	}
	if (!strncmp(text, "{{", 2) && strstr(text, "}}"))	/* what a template of the page puts there */
		text = arena_printf(c->a, "{}%s", strstr(text, "}}") + 2);
	if (!absolute && !strcmp(text, "{}")) {		/* perhaps a whole URL */
		url_split(prefix, c->a, &f->host, &f->path);
		f->path = "{}";
		f->reason = "dynamic";
		return true;
	}
	if (!absolute && !strncmp(text, "{}/", 3))	/* a builder that already has the prefix */
		text += 2;
	if (!absolute) {
		prefix = base_below(s->style, prefix, text, c->a);
		text = arena_printf(c->a, "%s%s%s", prefix, *text && *text != '/' ? "/" : "", text);
	}
	if (s->absolute && strncmp(text, "http", 4) && strncmp(text, "{}://", 5))
		return false;
	if (*text == '#' || !strncmp(text, "data:", 5) || !strncmp(text, "blob:", 5) ||
	    !strncmp(text, "file:", 5) || !strncmp(text, "jar:", 4) || !strncmp(text, "classpath:", 10))
		return false;
	if (!url_split(text, c->a, &f->host, &f->path))
		f->reason = "dynamic";
	return !is_asset(f->path);
}

/* How the public path of a proxy in code is written. */
static bool forwards_of(
    struct path_rewrites *f, const char *style, const char *text, const char *base, struct arena *a)
{
	if (style && !strcmp(style, "named"))
		return path_rewrite_add_named(f, text, base, a);
	if (!path_rewrite_add(f,
	        *text == '^'                                              ? PATH_REWRITE_REGEX :
	            strchr(text, '*') || (style && !strcmp(style, "ant")) ? PATH_REWRITE_ANT :
	                                                                    PATH_REWRITE_TEXT_PREFIX,
	        text, a))
		return false;
	return true;
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

/*
 * The name that an expression of a site gives, written as its path is; NULL: not all of it is
 * known.
 */
static const char *named_by_site(
    struct fact_builder *c, const struct contract_site *s, const struct call_frame *given, TSNode n)
{
	const char *text = "";

	if (!ts_node_is_null(n))
		text = expression_text(&c->ask, (struct expression){ c->in, n, given });
	/* an object that is made with its name */
	if ((!*text || strchr(text, '{')) && !ts_node_is_null(n)) {
		struct site_object object = { 0 };
		struct prefixes names = { 0 };
		if (object_find(c, n, given, &object))
			object_prefixes(c, &object, false, &names);
		if (names.n == 1)
			text = names.v[0];
		else
			text = "";
	}
	text = topic_name(s, text, c->a);
	if (*text && !strchr(text, '{'))
		return text;
	return NULL;
}

bool fact_topic(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, const char *prefix, const char *text, struct fact *f)
{
	f->path = arena_str(c->a, *text ? text : topic_name(s, prefix, c->a));
	f->host = named_by_site(c, s, given, s->exchange);
	if (strstr(f->path, "#{") || !f->path[strspn(f->path, "{}.-_/")]) {
		f->path = "{}";
		f->reason = "dynamic";
	}
	if (f->host && !strcmp(f->host, f->path))
		f->host = NULL;		/* without a key the exchange is its name */
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
	const char *s = arena_strn(a->a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

/* The value of the setting that a text has a part in; NULL: nothing gives it. */
static const char *setting_text(
    struct dataflow_context *a, struct contract_file *in, const char *setting, const char *text)
{
	const char *at = strchr(setting, '@');

	return url_setting(a, in,
	    at ? arena_printf(a->a, "%.*s%s%s", (int)(at - setting), setting, text, at + 1) : setting);
}

const char *path_part_text(struct dataflow_context *a, struct contract_file *in,
    const struct path_part *p, const struct call_frame *given)
{
	struct expression t = ts_node_is_null(p->node) ?
	    (struct expression){ 0 } :
	    expression_member(a, (struct expression){ in, p->node, given }, p->keys);
	const char *base = ts_node_is_null(p->base) ?
	    "" :
	    expression_text(a, (struct expression){ in, p->base, given });
	const char *text = "", *slash = *base && base[strlen(base) - 1] != '/' ? "/" : "";

	if (p->keys && ts_node_is_null(t.n)) {
		struct origin o = origin_of(a, (struct expression){ in, p->node, given });
		if (o.what != ORIGIN_PARAMETER)
			return NULL;
		text = URL_PARAMETER;
	} else if (!ts_node_is_null(t.n) && p->word) {
		const char *from = t.in->t->text + node_start_byte(t.n);
		text = arena_strn(a->a, from + (*from == ':'), node_len(t.n) - (*from == ':'));
	} else {
		text = expression_text(a, t);
	}
	const char *set = NULL;
	if (p->setting)
		set = setting_text(a, in, p->setting, text);
	if (p->setting && !set && !p->otherwise)
		return NULL;
	if (set)
		text = set;
	if (p->style)
		text = route_syntax_convert(p->style, text, a->a);
	return arena_printf(a->a, "%s%s%s%s%s", p->prefix ? p->prefix : "", base, slash, text,
	    p->append ? p->append : "");
}

const char *framework_match_prefix(
    struct dataflow_context *a, struct contract_file *in, const struct framework_match *p)
{
	struct path_part piece = path_part_of(p, ROLE_PREFIX);
	const char *text = path_part_text(a, in, &piece, NULL);

	return text ? text : "";
}

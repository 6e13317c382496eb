#include "shard/contracts/contracts_internal.h"

#include <ctype.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "shard/contracts/paths/route_syntax.h"

enum { MAX_CHAIN = 50 };

/* ---- names ---- */

/* The text of a name without `this.` or `self.`. */
static const char *own_name(const struct syntax_tree *t, TSNode n, size_t *len)
{
	const char *s = t->text + node_start_byte(n);
	size_t own = self_prefix(s, node_len(n));

	*len = node_len(n) - own;
	return s + own;
}

static bool same_name(const struct syntax_tree *t, TSNode a, TSNode b)
{
	size_t n, m;
	const char *x = own_name(t, a, &n), *y = own_name(t, b, &m);

	return n == m && !memcmp(x, y, n);
}

/* The bytes of the innermost function around a node, or all. */
static void function_around(const struct contract_file *r, TSNode n, uint32_t *from, uint32_t *to)
{
	*from = 0;
	*to = UINT32_MAX;
	for (size_t i = 0; i < r->found->n; i++) {
		const struct definition *d = &r->found->v[i].def;
		if (d->start_byte > node_start_byte(n))
			break;
		if (d->signature && node_end_byte(n) <= d->end_byte) {
			*from = d->start_byte;
			*to = d->end_byte;
		}
	}
}

/*
 * The definition around a node that has the node's text as its name (a decorated function, an
 * annotated method), or NULL.
 */
static const char *definition_named_by(const struct contract_file *r, TSNode n)
{
	const char *s = NULL;

	for (size_t i = 0; i < r->found->n; i++) {
		const struct definition *d = &r->found->v[i].def;
		if (d->signature && d->start_byte <= node_start_byte(n) &&
		    node_end_byte(n) <= d->end_byte && node_is(r->t, n, d->name))
			s = d->qualified;
	}
	return s;
}

bool names_field(const struct contract_file *r, TSNode name)
{
	for (size_t i = 0; i < r->found->n; i++) {
		const struct definition *d = &r->found->v[i].def;
		if ((!strcmp(d->kind, "field") || !strcmp(d->kind, "constant")) &&
		    node_is(r->t, name, d->name))
			return true;
	}
	return false;
}

/*
 * Whether the site's object is what that spot binds: a local variable is not seen in other
 * functions.
 */
static bool has_dot(const struct syntax_tree *t, TSNode n)
{
	return memchr(t->text + node_start_byte(n), '.', node_len(n)) != NULL;
}

/* Whether a name that a match binds may be used outside its function. */
static bool is_bound_widely(const struct contract_file *r, TSNode name)
{
	if (r->t->text[node_start_byte(name)] == '@' || has_dot(r->t, name))
		return true;
	return definition_named_by(r, name) || names_field(r, name);
}

/* Whether the match binds the site's object; a local variable is in scope only in its function. */
static bool binds(
    const struct contract_file *r, const struct framework_match *h, const struct contract_site *s)
{
	TSNode name = h->node[ROLE_BIND];
	uint32_t from, to;

	if (!has(h, ROLE_BIND) || ts_node_is_null(s->object) || !same_name(r->t, name, s->object))
		return false;
	if (has_dot(r->t, s->object) || is_bound_widely(r, name))
		return true;
	function_around(r, name, &from, &to);
	return from <= node_start_byte(s->object) && node_end_byte(s->object) <= to;
}

static const char *const verbs[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
	"TRACE", "CONNECT", "ANY" };

/*
 * Skip what comes before the verb in names: `http.MethodPut`, `RequestMethod.POST`, `HttpGet`,
 * `MapGet`.
 */
static const char *verb_begin(const char *s)
{
	static const char *const before[] = { "METHOD_", "Method", "Http", "Map", "$" };
	const char *sign = strrchr(s, '.');

	if (!sign)
		sign = strrchr(s, ':');
	if (sign)
		s = sign + 1;
	for (size_t i = 0; i < LEN(before); i++) {
		size_t n = strlen(before[i]);
		if (!strncmp(s, before[i], n) && s[n])
			return s + n;
	}
	return s;
}

/* Whether a name begins with the verb: GET, get!, getUser, get_with. */
static bool begins_with_verb(const char *s, const char *verb)
{
	static const char *const endings[] = { "_with", "_service", "_service_with" };
	size_t n = strlen(verb);

	if (strncasecmp(s, verb, n))
		return false;
	if (!s[n] || !strcmp(s + n, "!"))
		return true;
	for (size_t i = 0; i < LEN(endings); i++)
		if (!strcmp(s + n, endings[i]))
			return true;
	return islower((unsigned char)s[n - 1]) && isupper((unsigned char)s[n]);
}

const char *verb_in(const char *s)
{
	s = verb_begin(s);
	if (!strcasecmp(s, "all") || !strcmp(s, "*"))
		return "ANY";
	if (!strcasecmp(s, "del"))
		return "DELETE";
	for (size_t i = 0; i < LEN(verbs); i++)
		if (begins_with_verb(s, verbs[i]))
			return verbs[i];
	return NULL;
}

/* The object at the root of a chain of routes, `app.get(...).post(...)`. */
static TSNode chain_root(const struct syntax_tree *t, TSNode n)
{
	for (int depth = 0; depth < MAX_CHAIN; depth++) {
		TSNode f = ts_node_child_by_field_name(n, "function", 8);
		if (ts_node_is_null(f))
			break;
		TSNode object = ts_node_child_by_field_name(f, "object", 6);
		TSNode name = ts_node_child_by_field_name(f, "property", 8);
		if (ts_node_is_null(object) || ts_node_is_null(name) ||
		    !verb_in(arena_strn(t->arena, t->text + node_start_byte(name), node_len(name))))
			break;
		n = object;
	}
	return n;
}

/* ---- a site ---- */

static void verb_add(struct contract_site *s, const char *verb, TSNode node, const char *keys)
{
	if (s->nmethods == MAX_VERBS)
		return;
	s->method[s->nmethods].verb = verb;
	s->method[s->nmethods].keys = keys;
	s->method[s->nmethods++].node = node;
}

/* Add the methods of a match to those of its site. */
static void method_add(
    const struct syntax_tree *t, const struct framework_match *h, struct contract_site *s)
{
	TSNode choice[MAX_VERBS];
	size_t n = 0;

	if (has(h, ROLE_METHOD))
		n = url_elements(t, h->node[ROLE_METHOD], choice, MAX_VERBS);
	for (size_t i = 0; i < n; i++)
		verb_add(s, NULL, choice[i], NULL);
	if (!n && has(h, ROLE_METHOD))
		verb_add(s, NULL, h->node[ROLE_METHOD], NULL);
	else if (h->keys[ROLE_METHOD])
		verb_add(s, NULL, h->node[ROLE_OPTIONS], h->keys[ROLE_METHOD]);
	else if (!n && h->method)
		verb_add(s, h->method, (TSNode){ 0 }, NULL);
}

struct path_part path_part_of(const struct framework_match *h, enum role r)
{
	struct path_part p = { .node = h->node[r],
		.base = h->node[ROLE_BASE],
		.prefix = h->prefix,
		.append = h->append,
		.style = h->style,
		.word = h->word != NULL,
		.continues = h->continues != NULL,
		.only = h->only != NULL,
		.otherwise = h->otherwise != NULL };

	if (!has(h, r) && h->keys[r]) {
		p.node = h->node[ROLE_OPTIONS];
		p.keys = h->keys[r];
	}
	if (r == ROLE_PATH)
		p.setting = h->setting;
	return p;
}

static void path_add(struct contract_site *s, struct path_part p)
{
	if (s->npaths < MAX_PATHS)
		s->path[s->npaths++] = p;
}

static bool implies_method(const struct framework_match *p)
{
	if (!p->method || has(p, ROLE_SITE) || has(p, ROLE_METHOD))
		return false;
	return !has(p, ROLE_OBJECT) && !has(p, ROLE_PREFIX) && !has(p, ROLE_INSTANCE);
}

/* Add the path of a match, or each element of a list of paths. */
static void paths_add(
    const struct syntax_tree *t, const struct framework_match *h, struct contract_site *s)
{
	struct path_part p = path_part_of(h, ROLE_PATH);
	TSNode choice[MAX_PATHS];
	size_t n = 0;

	if (!p.keys)
		n = url_elements(t, p.node, choice, MAX_PATHS);
	bool given = !ts_node_is_null(p.node) || h->append;
	if (!n && given && (p.keys || !url_is_object(t, p.node)))
		path_add(s, p);
	for (size_t i = 0; i < n; i++) {
		p.node = choice[i];
		path_add(s, p);
	}
}

/* Whether the site's object is one that the framework creates in this file. */
static bool is_bound_in_file(const struct contract_file *in, const struct framework_matches *spots,
    const struct contract_site *s)
{
	if (ts_node_is_null(s->object) || s->anyone)
		return true;
	for (size_t i = 0; i < spots->n; i++)
		if (binds(in, &spots->v[i], s))
			return true;
	return false;
}

/*
 * Whether two matches are of one site: the same node, action (Rails), and way in which the object
 * is called.
 */
static bool site_same(const struct framework_match *a, const struct framework_match *b)
{
	if (!has(a, ROLE_SITE) || !has(b, ROLE_SITE))
		return false;
	if (!ts_node_eq(a->node[ROLE_SITE], b->node[ROLE_SITE]))
		return false;
	return !compare_texts(a->action, b->action) && !compare_texts(a->passed, b->passed);
}

/* Replace the node if the match has one for the role. */
static void node_add(const struct framework_match *h, enum role r, TSNode *node)
{
	if (has(h, r))
		*node = h->node[r];
}

/*
 * Replace the object by that of another match, unless the framework made it here.  Of two that it
 * did not make, `client.http` tells more than `http`.
 */
static void object_add(const struct contract_file *in, const struct framework_matches *spots,
    TSNode object, struct contract_site *s)
{
	TSNode was = s->object;

	if (!ts_node_is_null(was) && is_bound_in_file(in, spots, s))
		return;
	s->object = chain_root(in->t, object);
	bool part = !ts_node_is_null(was) && node_within(s->object, was);
	if (part && !is_bound_in_file(in, spots, s))
		s->object = was;
}

/* Add one match to its site. */
static void match_add(const struct contract_file *in, const struct framework_matches *spots,
    const struct framework_match *h, struct contract_site *s)
{
	s->anyone |= h->anyone != NULL;
	s->foreign |= h->anyone && !strcmp(h->anyone, "foreign");
	s->bare |= h->bare != NULL;
	s->absolute |= h->absolute != NULL;
	s->open |= h->open != NULL;
	s->answers |= h->answers != NULL;
	s->action = h->action;
	s->derived |= h->derived != NULL;
	s->prefixed |= h->derived && !strcmp(h->derived, "prefixed");
	s->called |= h->called != NULL;
	s->mounted |= h->mounted != NULL;
	s->sure |= h->sure != NULL;
	if (h->passed)
		s->passed = h->passed;
	if (h->style)
		s->style = h->style;
	if (h->fallback)
		s->fallback = h->fallback;
	if (has(h, ROLE_OBJECT))
		object_add(in, spots, h->node[ROLE_OBJECT], s);
	node_add(h, ROLE_HANDLER, &s->handler);
	node_add(h, ROLE_SERVICE, &s->service);
	node_add(h, ROLE_VERSION, &s->version);
	node_add(h, ROLE_REWRITE, &s->rewrite);
	node_add(h, ROLE_EXCHANGE, &s->exchange);
	node_add(h, ROLE_QUEUE, &s->queue);
	paths_add(in->t, h, s);
	method_add(in->t, h, s);
}

/* Put what continues a path behind the site's other path, in its place. */
static void paths_continue(struct contract_site *s)
{
	struct path_part behind = { 0 };
	int kept = 0;

	for (int i = 0; i < s->npaths; i++)
		if (s->path[i].continues)
			behind = s->path[i];
		else
			s->path[kept++] = s->path[i];
	if (kept == s->npaths)
		return;
	s->npaths = kept;
	for (int i = 0; i < kept; i++) {
		TSNode before = s->path[i].node;
		s->path[i].node = behind.node;
		s->path[i].base = before;
	}
	if (!kept)
		path_add(s, behind);
}

void site_read(const struct contract_file *in, const struct framework_matches *spots, size_t first,
    struct contract_site *s)
{
	for (size_t i = first; i < spots->n; i++)
		if (site_same(&spots->v[i], &spots->v[first]))
			match_add(in, spots, &spots->v[i], s);
	paths_continue(s);
	for (int i = 0; i < s->npaths; i++)
		if (!s->path[i].style)
			s->path[i].style = s->style;
	for (size_t i = 0; i < spots->n && !s->nmethods; i++) {
		const struct framework_match *h = &spots->v[i];
		if (has(h, ROLE_METHOD) && !has(h, ROLE_SITE) && binds(in, h, s))
			method_add(in->t, h, s);
	}
	/* what an option implies: CURLOPT_POST */
	for (size_t i = 0; i < spots->n && !s->nmethods; i++)
		if (implies_method(&spots->v[i]) && binds(in, &spots->v[i], s))
			method_add(in->t, &spots->v[i], s);
}

/* Whether a definition may be what a handler's name means; `dotted`: the name has dots. */
static bool fits_handler(const struct definition *d, TSNode n, bool dotted)
{
	if (d->start_byte == node_start_byte(n) || !dotted)
		return true;
	return d->parent >= 0 || strchr(d->qualified, '.');
}

/* A handler by name: the definition of this file with that name, else the name as written. */
static const char *handler(const struct contract_file *r, TSNode n)
{
	const struct syntax_tree *t = r->t;

	for (uint32_t i = node_start_byte(n); i < node_end_byte(n); i++)
		if (!isalnum((unsigned char)t->text[i]) && !strchr("_$.", t->text[i]))
			return NULL;
	const char *name = arena_strn(t->arena, t->text + node_start_byte(n), node_len(n));
	const char *last = name, *dot = strrchr(name, '.');
	if (dot)
		last = dot + 1;
	for (size_t i = 0; i < r->found->n; i++) {
		const struct definition *d = &r->found->v[i].def;
		if (d->signature && !strcmp(d->name, last) && fits_handler(d, n, dot != NULL))
			return d->qualified;
	}
	return name;
}

const char *node_raw(const struct syntax_tree *t, TSNode n, struct arena *a)
{
	uint32_t len = node_len(n);

	return arena_strn(a, t->text + node_start_byte(n), MIN(MAX_RAW, len));
}

/* The function or method that a site's handler names, or NULL. */
static const char *handler_symbol(const struct contract_file *r, const struct contract_site *s)
{
	if (ts_node_is_null(s->handler))
		return NULL;
	const char *raw = node_raw(r->t, s->handler, r->t->arena);
	const char *name = class_handler(raw, s->action, r->t->arena);
	if (!name && s->action)
		name = file_handler(raw, s->action, r->t->arena);
	if (name)
		return name;
	if (s->action)
		return rails_handler(raw, s->action, r->t->arena);
	name = definition_named_by(r, s->handler);
	if (name)
		return name;
	return handler(r, s->handler);
}

const char *site_symbol(const struct contract_file *r, const struct contract_site *s,
    const struct contract_site *answer)
{
	if (answer && !ts_node_is_null(answer->handler))
		s = answer;
	const char *name = handler_symbol(r, s);
	if (name)
		return name;
	return found_enclosing_name(r->found, node_start_byte(s->node));
}

bool site_composed(const struct framework_matches *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (site_same(&s->v[k], &s->v[i]))
			return true;
	return false;
}

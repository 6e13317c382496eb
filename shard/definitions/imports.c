/* The imports of a file, by the `import` and `part` rows. */
#include <ctype.h>
#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/definitions/references_internal.h"

/* The text of a quoted module, or of one with slashes; NULL if it holds unlikely bytes. */
static const char *module_path(struct references *r, const char *s, uint32_t len)
{
	struct normal_form f = { .n = 0 };

	while (len && strchr("\"'`<", *s)) {
		s++;
		len--;
	}
	while (len && *s == '/') {	/* what precedes the slash is unknown */
		s++;
		len--;
	}
	while (len && strchr("\"'`>", s[len - 1]))
		len--;
	for (uint32_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)s[i]) || strchr("\"'`{", s[i]))
			return NULL;
	if (!len)
		return NULL;
	memcpy(f.p, s, len);
	f.n = len;
	f.p[len] = '\0';
	return references_intern(r, &f);
}

/* The text of a module: a path, or a name with dots.  NULL if it is neither. */
static const char *module_text(struct references *r, TSNode n)
{
	const char *s = r->t->text + node_start_byte(n);
	uint32_t len = node_len(n);
	struct normal_form f;

	if (!len || len > NORMAL_FORM_MAX)
		return NULL;
	if (strchr("\"'`<", *s) || memchr(s, '/', len))
		return module_path(r, s, len);
	if (!name_normalize(r->t, n, &f))
		return NULL;
	return references_intern(r, &f);
}

static bool is_blank(const char *s)
{
	return !s || !*s;
}

/* `a` and `b` joined by a dot; either may be NULL. */
static const char *joined(struct references *r, const char *a, const char *b)
{
	struct normal_form f;

	if (is_blank(a))
		return b;
	if (is_blank(b))
		return a;
	f.n = (size_t)snprintf(f.p, sizeof f.p, "%s.%s", a, b);
	if (f.n > NORMAL_FORM_MAX)
		return NULL;
	return references_intern(r, &f);
}

/* The modules at the path, joined; NULL if there is none. */
static const char *module_at(struct references *r, const struct node_path *p, TSNode n)
{
	TSNode part[MANY_NODES];
	size_t count = node_path_all(p, n, part, 16);
	const char *all = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *text = module_text(r, part[i]);
		if (!text)
			return NULL;
		all = joined(r, all, text);
		if (!all)
			return NULL;
	}
	return all;
}

static const char *name_at(struct references *r, const struct node_path *p, TSNode n)
{
	TSNode at = node_path_get(p, n);
	struct normal_form f;

	if (ts_node_is_null(at) || !name_normalize(r->t, at, &f))
		return NULL;
	return references_intern(r, &f);
}

/* Mark the name that the import gives to a module: it is not the name of a definition. */
static void note_module(struct references *r, const char *module, const char *alias)
{
	const char *last = module + strlen(module);

	while (last > module && !strchr("./:", last[-1]))
		last--;
	if (!alias)
		alias = last;
	if (*alias)
		scopes_name(r->scopes, alias, strlen(alias))->module = true;
}

/* Add an import of the open statement. */
static void emit_import(
    struct references *r, const char *module, const char *name, const char *alias, TSNode at)
{
	const struct open_import *o = &r->open.v[0];
	struct placed_import *i;

	if (r->imports.n == MAX_IMPORTS || !module || !*module)
		return;
	if (alias && !strcmp(alias, ".")) {	/* Go: all names, without a prefix */
		name = "*";
		alias = NULL;
	}
	if (!name && !o->rule->include && !o->rule->value)
		note_module(r, module, alias);
	r->imports.v = grow(r->imports.v, &r->imports.cap, r->imports.n + 1, sizeof *r->imports.v);
	i = &r->imports.v[r->imports.n++];
	i->at = node_start_byte(at);
	i->import = (struct import){
		.module = module,
		.name = name,
		.alias = alias,
		.definition = o->definition,
		.line = node_line(at),
		.again = o->again,
		.include = o->rule->include,
	};
}

/* Add an import whose last part is the name: `a.b.Name`. */
static void emit_split_import(struct references *r, const char *path, const char *alias, TSNode at)
{
	if (!path)
		return;
	size_t n = strlen(path);
	if (n > 5 && !strcmp(path + n - 5, ".self"))	/* Rust: a::{self} */
		path = arena_strn(r->t->arena, path, n - 5);
	const char *dot = strrchr(path, '.');
	if (!dot || dot == path)
		emit_import(r, path, NULL, alias, at);
	else
		emit_import(r, arena_strn(r->t->arena, path, (size_t)(dot - path)), dot + 1, alias, at);
}

/* `path` after the prefixes of the open statement and of the parts that the walk is in. */
static const char *prefixed(struct references *r, const char *path)
{
	const char *all = NULL;

	if (r->open.v[0].rule->split)
		all = r->open.v[0].module;
	for (size_t i = 1; i < r->open.n; i++)
		if (r->open.v[i].module)
			all = joined(r, all, r->open.v[i].module);
	return joined(r, all, path);
}

static void emit_import_path(struct references *r, const struct import_rule *part, const char *path,
    const char *alias, TSNode at)
{
	const struct open_import *o = &r->open.v[0];

	if (o->rule->split || r->open.n > 1)
		path = prefixed(r, path);
	if (part->all)
		emit_import(r, path, "*", NULL, at);
	else if (o->rule->split)
		emit_split_import(r, path, alias, at);
	else if (o->module)
		emit_import(r, o->module, path, alias, at);
	else
		emit_import(r, path, NULL, alias, at);
}

static bool has_own_rule(const struct references *r, TSNode n, TSNode around)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	return rule && rule->parts && !ts_node_eq(n, around);
}

static void collect_import_paths(struct references *r, const struct import_rule *part, TSNode n)
{
	TSNode at[MANY_NODES];
	size_t count = node_path_all(&part->path, n, at, MANY_NODES);

	for (size_t i = 0; i < count; i++) {
		if (has_own_rule(r, at[i], n))
			continue;
		r->open.v[0].has_imports = true;
		emit_import_path(r, part, module_text(r, at[i]), name_at(r, &part->alias, n), at[i]);
	}
}

static void collect_import_part(struct references *r, const struct import_rule *part, TSNode n)
{
	struct open_import *o = &r->open.v[0];
	const char *alias = name_at(r, &part->alias, n), *module = o->module;

	if (part->path.n) {
		collect_import_paths(r, part, n);
		return;
	}
	if (part->first_name && !alias)		/* this statement imports no default */
		return;
	o->has_imports = true;
	if (part->first_name) {
		emit_import(r, module, "default", alias, n);
	} else if (part->whole) {
		emit_import(r, module, NULL, alias, n);
	} else if (part->all) {
		if (r->open.n > 1 || o->rule->split)
			module = prefixed(r, NULL);
		emit_import(r, module, "*", NULL, n);
	}
}

static void open_import(struct references *r, const struct import_rule *rule, const char *module,
    TSNode n, const struct walk_position *p)
{
	r->open.v = grow(r->open.v, &r->open.cap, r->open.n + 1, sizeof *r->open.v);
	r->open.v[r->open.n++] = (struct open_import){
		.rule = rule,
		.depth = p->depth,
		.node = n,
		.module = module,
		.definition = p->definition,
	};
}

void imports_collect(
    struct references *r, TSNode n, const struct node_rule *rule, const struct walk_position *p)
{
	for (const struct import_rule *part = rule->parts; part; part = part->next) {
		if (!condition_holds(&part->when, r->t, n))
			continue;
		if (!part->prefix.n)
			collect_import_part(r, part, n);
		else if (module_at(r, &part->prefix, n))
			open_import(r, part, module_at(r, &part->prefix, n), n, p);
	}
}

bool references_import(
    struct references *r, TSNode n, const struct node_rule *rule, const struct walk_position *p)
{
	const struct import_rule *i = NULL;
	struct open_import *o;
	const char *module;

	if (!r->open.n)
		i = rule->imports;
	while (i && !condition_holds(&i->when, r->t, n))
		i = i->next;
	if (!i)
		return false;
	module = module_at(r, &i->module, n);
	if (!module && i->module.n)
		return false;
	open_import(r, i, module, n, p);
	o = &r->open.v[0];
	o->again = i->again || (i->again_if.n && !ts_node_is_null(node_path_get(&i->again_if, n)));
	o->alias = name_at(r, &i->alias, n);
	if (i->all)
		o->name = "*";
	else
		o->name = name_at(r, &i->name, n);
	r->claim = CLAIM_NONE;
	references_claim_below(r, p->depth, CLAIM_NONE);
	return true;
}

/* Add the import of a statement without parts. */
static void finish(struct references *r)
{
	struct open_import *o = &r->open.v[0];

	if (o->has_imports || !o->module)
		return;
	if (o->rule->split && !o->rule->all)
		emit_split_import(r, o->module, o->alias, o->node);
	else
		emit_import(r, o->module, o->name, o->alias, o->node);
}

void imports_close(struct references *r, uint32_t depth)
{
	for (; r->open.n && r->open.v[r->open.n - 1].depth >= depth; r->open.n--)
		if (r->open.n == 1)
			finish(r);
}

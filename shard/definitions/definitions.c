#include "shard/definitions/definitions_internal.h"

#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/declaration_head.h"
#include "shard/facts/qualified_name.h"
#include "shard/syntax/slash_endings.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_WRAPPED = 8 };	/* children; a wrapper with more contains more than a definition */

static bool starts_line(const struct syntax_tree *t, uint32_t at)
{
	while (at && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t'))
		at--;
	return !at || t->text[at - 1] == '\n';
}

/* Whether a comment is meant for machines: an interpreter line, or a licence identifier. */
static bool is_mark(const char *s, uint32_t n, uint32_t from)
{
	static const char licence[] = "SPDX-License-Identifier:";

	if (!from && n > 1 && !memcmp(s, "#!", 2))
		return true;
	return !memchr(s, '\n', n) && memmem(s, n, licence, sizeof licence - 1);
}

static void note_comment(struct definition_walk *w, TSNode n)
{
	uint32_t from = node_start_byte(n), to = node_end_byte(n);

	if (is_mark(w->t->text + from, to - from, from))
		return;
	while (to > from && w->t->text[to - 1] == '\n')
		to--;
	if (w->comment.to && adjacent(w->t, w->comment.to, from)) {
		w->comment.to = to;
	} else if (starts_line(w->t, from)) {
		w->comment.from = from;
		w->comment.to = to;
	}
	if (w->before.to && adjacent(w->t, w->before.to, from))
		w->before.to = to;
}

static void note_attributes(struct definition_walk *w, TSNode n)
{
	if (!w->before.to || !adjacent(w->t, w->before.to, node_start_byte(n))) {
		w->before.from = node_start_byte(n);
		w->before.line = node_line(n);
	}
	w->before.to = node_end_byte(n);
}

/* Copy a node's text, cut to the length that a keyword can have. */
static const char *keyword(const struct syntax_tree *t, TSNode n, char text[32])
{
	uint32_t len = MIN(node_len(n), 31);

	memcpy(text, t->text + node_start_byte(n), len);
	text[len] = '\0';
	return text;
}

static void note_section(struct definition_walk *w, TSNode n, const char *texts)
{
	char text[32];

	if (texts && !type_in_list(keyword(w->t, n, text), texts))
		return;
	w->sections.v = grow(w->sections.v, &w->sections.cap, w->sections.n + 1, sizeof *w->sections.v);
	w->sections.v[w->sections.n++] = (struct section){
		w->depth, node_start_byte(n), node_end_byte(n)
	};
}

/* Whether `wrapper` contains a single node, not counting annotations and comments. */
static bool wraps_one_node(const struct definition_walk *w, TSNode wrapper)
{
	uint32_t count = ts_node_named_child_count(wrapper), things = 0;

	for (uint32_t i = 0; i < count && count <= MAX_WRAPPED; i++) {
		const struct node_rule *r = rules_of(w->t->rules, ts_node_named_child(wrapper, i));
		things += !r || !(r->marks & (MARK_ANNOTATION | MARK_COMMENT));
	}
	return things == 1;
}

/*
 * The outermost wrapper that contains only `n`, the definition that the walk is at.  `*from`
 * becomes the start of the outermost wrapper, which may contain more.
 */
static TSNode outermost(const struct definition_walk *w, TSNode n, bool *exported, uint32_t *from)
{
	uint32_t depth = w->depth;
	bool widen = true;

	for (size_t i = w->nframes; i--;) {
		const struct walk_frame *f = &w->frame[i];
		if (!f->wrap || f->depth + 1 != depth)
			break;
		*exported |= f->rule->marks & MARK_EXPORT;
		*from = node_start_byte(f->node);
		widen = widen && wraps_one_node(w, f->node);
		if (widen)
			n = f->node;
		depth--;
	}
	return n;
}

/* Whether a name is global to the module wherever it is assigned: `module.exports`, `exports.x`. */
static bool is_export(const struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->cut.n; i++) {
		size_t n = strlen(r->cut.v[i]);
		if (!strncmp(name, r->cut.v[i], n) ||
		    (strlen(name) == n - 1 && !strncmp(name, r->cut.v[i], n - 1)))
			return true;
	}
	return false;
}

/* `slash`: it is only a value if it adds a slash to the old one. */
static void bind(struct definition_walk *w, const char *name, TSNode value, bool slash)
{
	struct syntax_tree *t = w->t;
	struct binding b = { .name = name, .value = value, .to = (uint32_t)t->n };
	size_t own = self_prefix(name, strlen(name));
	bool member = own > 0;

	if (t->bindings.n && ts_node_eq(t->bindings.v[t->bindings.n - 1].value, value))
		return;		/* the declarator of a field binds the same value again */
	b.name += own;
	member |= *name == '@' || *name == '.' || is_export(t->rules, name);
	for (size_t i = w->nframes; !member && i--;)
		if (w->frame[i].local) {
			b.from = node_start_byte(w->frame[i].node);
			b.to = node_end_byte(w->frame[i].node);
			break;
		}
	if (assigns_slash(t, b.name, value)) {
		t->slashed.v = grow(t->slashed.v, &w->slashed_cap, t->slashed.n + 1, sizeof b);
		t->slashed.v[t->slashed.n++] = b;
	} else if (!slash) {
		t->bindings.v = grow(t->bindings.v, &w->bindings_cap, t->bindings.n + 1, sizeof b);
		t->bindings.v[t->bindings.n++] = b;
	}
}

static bool rule_fits(const struct definition_walk *w, const struct def_rule *d,
    const struct definition_site *s, bool local)
{
	const char *head = w->t->text + s->head;

	if (local && d->top)
		return false;
	if (d->in && !frames_are_in(w, d->in))
		return false;
	if (d->lift && frames_position(w).type < 0)
		return false;
	if (!condition_holds(&d->when, w->t, s->node))
		return false;
	if (d->without && head_has_words(head, s->head_end - s->head, d->without))
		return false;
	return !d->words || head_has_words(head, s->head_end - s->head, d->words);
}

static void site_measure(struct definition_site *s, const struct def_rule *d)
{
	s->rule = d;
	s->body = (TSNode){ 0 };
	if (d->body.n)
		s->body = node_path_get(&d->body, s->node);
	if (ts_node_is_null(s->body))
		s->head_end = node_end_byte(s->node);
	else
		s->head_end = node_start_byte(s->body);
	if (s->head_end < s->head)
		s->head_end = s->head;
}

/* Record the value that a node gives to a name, even if the name is not a definition. */
static void note_value(
    struct definition_walk *w, TSNode name, TSNode value, bool member, bool slash)
{
	if (ts_node_is_null(value) || ts_node_is_null(name) || node_len(name) > MAX_NAME_BYTES)
		return;
	const char *text = walk_copy_text(w, node_start_byte(name), node_end_byte(name));
	if (member)
		text = arena_printf(w->t->arena, ".%s", text);
	bind(w, text, value, slash);
}

static void note_values(struct definition_walk *w, TSNode n, const struct node_rule *rule)
{
	if (rule->marks & MARK_BIND && condition_holds(&rule->bind_when, w->t, n))
		note_value(w, node_path_get(&rule->bind_name, n), node_path_get(&rule->bind_value, n),
		    rule->bind_member, rule->bind_slash);
	for (const struct def_rule *d = rule->defs; d; d = d->next)
		if (d->value.n) {
			note_value(w, node_path_get(&d->name, n), node_path_get(&d->value, n), false, false);
			return;
		}
}

/* Whether the innermost frame allows the rule. */
static bool stands_under(const struct definition_walk *w, const struct def_rule *d)
{
	if (!d->within)
		return true;
	return w->nframes && type_in_list(ts_node_type(frames_top(w)->node), d->within);
}

static bool define(struct definition_walk *w, TSNode n, const struct node_rule *rule)
{
	struct definition_site s = { .node = n, .from = node_start_byte(n) };
	const struct def_rule *first = rule->defs;
	bool local = frames_position(w).local;

	while (first && (first->minor || !stands_under(w, first)))
		first = first->next;
	if (!first)
		return false;
	s.outer = outermost(w, n, &s.exported, &s.from);
	s.before = w->before.to && adjacent(w->t, w->before.to, s.from);
	s.head = head_start(w->t, s.outer);
	for (const struct def_rule *d = first; d; d = d->next) {
		if (d->minor)
			continue;
		site_measure(&s, d);
		if (!stands_under(w, d) || !rule_fits(w, d, &s, local))
			continue;
		size_t before = w->out->n;
		if (!definitions_add(w, &s))
			continue;
		references_claim(w->uses, node_path_get(&d->type, n), CLAIM_TYPE);
		references_set_owner(w->uses, w->out->v[before].def.start_byte, (int)before);
		if (d->each || d->lift)
			return true;
		frames_push(w, n, rule, (int)before, d->callable, false);
		frames_top(w)->members = d->members;
		return true;
	}
	return false;
}

static void export_name(struct definition_walk *w, TSNode n)
{
	if (ts_node_named_child_count(n) || !node_len(n) || node_len(n) > MAX_NAME_BYTES)
		return;
	w->exports.v = grow(w->exports.v, &w->exports.cap, w->exports.n + 1, sizeof *w->exports.v);
	w->exports.v[w->exports.n++] = walk_copy_text(w, node_start_byte(n), node_end_byte(n));
}

/* One child of an export statement: `name`, `name as alias`, or `key: value`. */
static void export_specifier(struct definition_walk *w, TSNode n)
{
	uint32_t count = ts_node_named_child_count(n);

	if (!count) {
		export_name(w, n);
		return;
	}
	export_name(w, ts_node_named_child(n, count - 1));
	export_name(w, ts_node_named_child(n, 0));	/* `key: function` exports the name `key` */
}

/* Note the names that a statement exports apart from their definitions. */
static void note_exports(struct definition_walk *w, TSNode n, const struct node_rule *rule)
{
	TSNode at = node_path_get(&rule->exports, n), when = node_path_get(&rule->exports_when, n);

	if (ts_node_is_null(at) || (rule->exports_text && !node_is(w->t, when, rule->exports_text)))
		return;
	export_name(w, at);
	TSTreeCursor c = ts_tree_cursor_new(at);
	bool more = ts_tree_cursor_goto_first_child(&c);
	while (more) {
		TSNode k = ts_tree_cursor_current_node(&c);
		if (ts_node_is_named(k))
			export_specifier(w, k);
		more = ts_tree_cursor_goto_next_sibling(&c);
	}
	ts_tree_cursor_delete(&c);
}

/* The members in `n` belong to a type that is defined elsewhere. */
static void enter_extension(struct definition_walk *w, TSNode n, const struct node_rule *rule)
{
	TSNode type = node_path_get(&rule->extends, n);
	bool in_type;
	const char *prefix = frames_prefix(w, &in_type);

	if (ts_node_is_null(type))
		return;
	type = definitions_type_name_node(type);
	const char *name = walk_copy_text(w, node_start_byte(type), node_end_byte(type));
	frames_push(w, n, rule, -1, false, false);
	if (prefix)
		frames_top(w)->owner = qualified_join(w->t->arena, prefix, name);
	else
		frames_top(w)->owner = name;
	frames_top(w)->open = rule->opens.n && !ts_node_is_null(node_path_get(&rule->opens, n));
}

/* Handle the definitions of the node; false if there are none.  An import has minor names only. */
static bool enter_definitions(
    struct definition_walk *w, TSNode n, const struct node_rule *rule, bool import)
{
	if (!rule->defs)
		return false;
	if (!import && define(w, n, rule))
		return true;
	definitions_add_minors(w, n, rule);
	return false;
}

/*
 * Handle the node's effect on definitions: what it defines, and comments, attributes and sections
 * that apply to later definitions.
 */
static void enter_rule(
    struct definition_walk *w, TSNode n, const struct node_rule *rule, bool import)
{
	if (rule->exports.n)
		note_exports(w, n, rule);
	note_values(w, n, rule);
	if (rule->marks & MARK_COMMENT)
		note_comment(w, n);
	else if (enter_definitions(w, n, rule, import))
		return;
	else if (rule->marks & MARK_BEFORE)
		note_attributes(w, n);
	else if (rule->extends.n)
		enter_extension(w, n, rule);
	else if (rule->marks & MARK_SECTION)
		note_section(w, n, rule->section);
	else if (rule->marks & (MARK_WRAP | MARK_SCOPE | MARK_UNNAMED))
		frames_push(w, n, rule, -1, rule->marks & MARK_SCOPE, rule->marks & MARK_WRAP);
	if (rule->marks & MARK_UNNAMED)
		frames_top(w)->hidden = true;
}

/*
 * Where the value of a return statement here is stored.  NULL if the function has no name, or
 * declares its type.
 */
static const char **returned(struct definition_walk *w, const struct walk_position *p)
{
	if (!p->direct)
		return NULL;
	struct definition *d = &w->out->v[p->function].def;
	if (d->type)
		return NULL;
	return &d->value;
}

static void note_seen(struct node_list *l, TSNode n, TSSymbol symbol)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct named_node){ n, symbol };
}

static void enter(void *arg, TSNode n, uint32_t depth)
{
	struct definition_walk *w = arg;
	TSSymbol symbol = ts_node_symbol(n);
	const struct node_rule *rule = rules_symbol(w->t->rules, symbol);
	struct walk_position around, at;
	bool import;

	if (w->t->seen)
		note_seen(w->t->seen, n, symbol);
	w->depth = depth;
	w->path.v = grow(w->path.v, &w->path.cap, depth + 1, sizeof *w->path.v);
	w->path.v[depth] = n;
	while (w->nframes && frames_top(w)->depth >= w->depth)
		w->nframes--;
	while (w->sections.n && w->sections.v[w->sections.n - 1].depth > w->depth)
		w->sections.n--;
	references_enter_node(w->uses, n, w->depth);
	if (ts_node_is_error(n))
		definitions_add_broken(w, n);
	if (!rule)
		return;
	around = frames_position(w);
	import = rule->imports && references_import(w->uses, n, rule, &around);
	enter_rule(w, n, rule, import);
	at = frames_position(w);
	references_collect(w->uses, n, rule, &at, returned(w, &around));
}

/* Whether members of such a definition are visible unless they are hidden. */
static bool inherits_visibility(enum export_rule rule, const char *kind)
{
	switch (rule) {
	case EXPORT_PUBLIC:
	case EXPORT_PUB: return type_in_list(kind, "interface|enum|trait");
	case EXPORT_WRAPPED:
	case EXPORT_VISIBLE: return true;
	case EXPORT_NOT_STATIC: return is_type(kind);
	default: return false;
	}
}

static bool is_listed_export(const struct definition_walk *w, const char *qualified)
{
	for (size_t i = 0; i < w->exports.n; i++)
		if (!strcmp(w->exports.v[i], qualified))
			return true;
	return false;
}

/* Apply export statements, and hide the members of hidden definitions. */
static void propagate_exports(struct definition_walk *w)
{
	const struct rules *r = w->t->rules;

	for (size_t i = 0; i < w->out->n; i++) {
		struct found_definition *f = &w->out->v[i];
		if (f->def.parent < 0) {
			f->def.exported |= is_listed_export(w, f->def.qualified);
			continue;
		}
		const struct found_definition *up = &w->out->v[f->def.parent];
		if (inherits_visibility(r->exported, up->def.kind))
			f->def.exported = !f->hidden;
		f->def.test |= up->def.test && type_in_list(up->def.kind, "module|class|struct");
		f->def.exported = f->def.exported && up->def.exported && !f->nested;
	}
}

/*
 * For each definition the last one before it that ends after it; those between the two end where it
 * does at the latest.
 */
static void found_index(struct found_definitions *l)
{
	for (size_t i = 0; i < l->n; i++) {
		int last = (int)i - 1;
		while (last >= 0 && l->v[last].def.end_byte <= l->v[i].def.end_byte)
			last = l->v[last].outer;
		l->v[i].outer = last;
	}
}

/* The bindings in the tree's arena; `v` is freed. */
static struct binding *take_bindings(struct syntax_tree *t, struct binding *v, size_t n)
{
	struct binding *own = arena_many(t->arena, n, struct binding);

	if (n)
		memcpy(own, v, n * sizeof *own);
	free(v);
	return own;
}

void definitions_find(struct syntax_tree *t, struct found_definitions *out, struct references *uses)
{
	struct definition_walk w = { .t = t, .out = out, .uses = uses };

	out->n = 0;
	out->minors.n = 0;
	references_begin(uses, t);
	t->depth = nodes_each(t->root, enter, &w);
	definitions_order_broken(&w);
	propagate_exports(&w);
	t->bindings.v = take_bindings(t, t->bindings.v, t->bindings.n);
	t->slashed.v = take_bindings(t, t->slashed.v, t->slashed.n);
	bindings_index(t);
	found_index(out);
	free(w.exports.v);
	free(w.sections.v);
	free(w.path.v);
	free(w.frame);
}

int found_around(const struct found_definitions *l, uint32_t from, uint32_t to, int before)
{
	int low = 0, high = before;

	while (low < high) {
		int middle = low + (high - low) / 2;
		if (l->v[middle].def.start_byte <= from)
			low = middle + 1;
		else
			high = middle;
	}
	int i = low - 1;
	while (i >= 0 && l->v[i].def.end_byte < to)
		i = l->v[i].outer;
	return i;
}

const char *found_enclosing_name(const struct found_definitions *l, uint32_t at)
{
	int innermost = found_around(l, at, at + 1, (int)l->n), i = innermost;

	while (i >= 0 && !l->v[i].def.signature)
		i = found_around(l, at, at + 1, i);
	if (i >= 0)
		return l->v[i].def.qualified;
	if (innermost >= 0)
		return l->v[innermost].def.qualified;
	return NULL;
}

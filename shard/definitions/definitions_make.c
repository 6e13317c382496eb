#include "shard/definitions/definitions_internal.h"

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/declaration_head.h"
#include "shard/facts/qualified_name.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_NAMES = 512, MAX_CHAIN = 12 };

/* The string that a body begins with, or NULL. */
static const char *docstring(struct definition_walk *w, TSNode body)
{
	TSNode s = ts_node_named_child(body, 0);

	if (!ts_node_is_null(s) && !strcmp(ts_node_type(s), "expression_statement"))
		s = ts_node_named_child(s, 0);
	if (ts_node_is_null(s))
		return NULL;
	const struct node_rule *r = rules_of(w->t->rules, s);
	if (!r || r->op != VALUE_TEXT)
		return NULL;
	return comment_text(w->t->text + node_start_byte(s), node_len(s), w->t->arena);
}

TSNode definitions_type_name_node(TSNode n)
{
	static const char *const fields[] = { "type", "name" };

	for (int i = 0; i < MAX_CHAIN && ts_node_named_child_count(n); i++) {
		TSNode next = { 0 };
		for (size_t k = 0; k < LEN(fields) && ts_node_is_null(next); k++)
			next = ts_node_child_by_field_name(n, fields[k], (uint32_t)strlen(fields[k]));
		if (ts_node_is_null(next))
			n = ts_node_named_child(n, 0);
		else
			n = next;
	}
	return n;
}

static const char *owner_of(struct definition_walk *w, const struct def_rule *d, TSNode n)
{
	TSNode owner = node_path_get(&d->owner, n);

	if (!d->owner.n || ts_node_is_null(owner))
		return NULL;
	owner = definitions_type_name_node(owner);
	return walk_copy_text(w, node_start_byte(owner), node_end_byte(owner));
}

static bool chain_fits(const struct def_rule *d, const char *holder)
{
	return (!d->last || !strcmp(d->last, holder)) && (!d->notlast || strcmp(d->notlast, holder));
}

/* Follow a declarator chain down to the identifier; null if the rule does not allow its kind. */
static TSNode chain_end(const struct def_rule *d, TSNode parent, TSNode n)
{
	n = node_path_follow(&d->name, n, &parent);
	if (chain_fits(d, ts_node_type(parent)))
		return n;
	return (TSNode){ 0 };
}

/* Whether the first `n` bytes of a dotted name end with the part `last`. */
static bool ends_with_part(const char *dotted, size_t n, const char *last)
{
	size_t len = strlen(last);

	if (n < len || memcmp(dotted + n - len, last, len))
		return false;
	return n == len || dotted[n - len - 1] == '.';
}

/* Whether a method called `name` of `qualified` makes an instance. */
static bool constructs(const struct rules *r, const char *name, const char *qualified)
{
	size_t n = strlen(name), all = strlen(qualified), owner = 0;

	if (all > n + 1)
		owner = all - n - 1;	/* the length of its type's name */
	for (size_t i = 0; i < r->constructors.n; i++) {
		if (!strcmp(r->constructors.v[i], name))
			return true;
		if (!strcmp(r->constructors.v[i], "=") && ends_with_part(qualified, owner, name))
			return true;
	}
	return false;
}

/*
 * The qualified name of an owner that is named apart from its type: within the module around,
 * unless that is the owner itself.
 */
static const char *owned_by(const struct definition_walk *w, const char *prefix, const char *owner)
{
	if (!prefix)
		return owner;
	if (ends_with_part(prefix, strlen(prefix), owner))
		return prefix;
	return qualified_join(w->t->arena, prefix, owner);
}

static void name_and_kind(struct definition_walk *w, struct found_definition *f,
    const struct definition_site *s, const char *name)
{
	bool in_type, qualifies = s->rule->dotted || s->rule->scoped;
	const char *prefix = frames_prefix(w, &in_type), *owner = owner_of(w, s->rule, s->node);
	const char *dot = NULL;

	if (qualifies)
		dot = strrchr(name, '.');
	if (s->rule->lift)
		f->def.parent = frames_position(w).type;
	else
		f->def.parent = frames_definition(w);
	if (dot && dot[1])
		f->def.name = dot + 1;
	else
		f->def.name = name;
	f->def.kind = s->rule->kind;
	if (in_type && s->rule->member)
		f->def.kind = s->rule->member;
	else if (dot && s->rule->callable)
		f->def.kind = "method";
	if (owner)
		prefix = owned_by(w, prefix, owner);
	if (s->rule->lift)
		prefix = w->out->v[f->def.parent].def.qualified;
	if (prefix)
		f->def.qualified = qualified_join(w->t->arena, prefix, name);
	else
		f->def.qualified = name;
	if (!strcmp(f->def.kind, "method") && !strchr(f->def.qualified, '.'))
		f->def.kind = "function";
	if (!strcmp(f->def.kind, "method") && constructs(w->t->rules, f->def.name, f->def.qualified))
		f->def.kind = "constructor";
}

/* The bytes and lines of a definition, with the attributes before it. */
static void set_range(struct definition_walk *w, struct found_definition *f,
    const struct definition_site *s, TSNode name)
{
	TSNode whole = s->outer;

	if (s->rule->each)
		whole = name;
	uint32_t from = node_start_byte(whole), to = node_end_byte(whole);
	while (to > from && isspace((unsigned char)w->t->text[to - 1]))
		to--;
	f->def.start_byte = from;
	f->def.start_line = node_line(whole);
	if (s->before) {
		f->def.start_byte = w->before.from;
		f->def.start_line = w->before.line;
	}
	f->from = f->def.start_byte;
	f->def.end_byte = f->to = to;
	f->def.end_line = node_end_row(whole) + (ts_node_end_point(whole).column > 0);
	if (f->def.end_line < f->def.start_line)
		f->def.end_line = f->def.start_line;
}

/* Whether the last comment is right before the definition or its attributes. */
static bool has_comment(const struct definition_walk *w, const struct definition_site *s)
{
	if (!w->comment.to)
		return false;
	if (adjacent(w->t, w->comment.to, s->from))
		return true;
	return s->before && adjacent(w->t, w->comment.to, w->before.from);
}

static void set_doc(
    struct definition_walk *w, struct found_definition *f, const struct definition_site *s)
{
	if (s->rule->docstring && !ts_node_is_null(s->body))
		f->def.doc = docstring(w, s->body);
	if (!f->first || !has_comment(w, s))
		return;
	if (s->from == f->from || (s->before && w->comment.from < f->from))
		f->from = w->comment.from;
	if (!f->def.doc)
		f->def.doc = comment_text(
		    w->t->text + w->comment.from, w->comment.to - w->comment.from, w->t->arena);
}

/* Whether the definition around makes its members visible, whatever their modifiers. */
static bool members_are_visible(const struct definition_walk *w)
{
	const struct walk_frame *f = frames_find_naming(w);

	return f && f->open;
}

/* Visibility and test marks, by the modifiers in the head and by the definition around. */
static void set_marks(struct definition_walk *w, struct found_definition *f,
    const struct definition_site *s, TSNode node, const char *name)
{
	const struct rules *r = w->t->rules;
	const char *head = w->t->text + s->head;
	size_t nhead = s->head_end - s->head, ntest = 0;
	bool hidden = frames_hidden(w);

	/* Modifiers after the name belong to parameters. */
	if (node_start_byte(node) >= s->head && node_start_byte(node) < s->head_end)
		nhead = node_start_byte(node) - s->head;
	f->hidden = hidden || head_is_hidden(r, name, head, nhead);
	if (!hidden)
		f->def.exported = members_are_visible(w) || s->rule->visible ||
		    head_exports(r, f->def.name, f->wrapped, head, nhead);
	if (s->head_end > f->def.start_byte)
		ntest = s->head_end - f->def.start_byte;
	f->def.test = head_is_test(r, f->def.name, w->t->text + f->def.start_byte, ntest);
	if (is_type(f->def.kind) && head_is_test_type(r, f->def.name))
		f->def.test = true;
}

static const char *site_name(
    const struct definition_walk *w, const struct definition_site *s, TSNode node, bool *exported)
{
	if (s->rule->scoped)
		return head_scoped_name(w->t, node);
	return head_name(w->t, node, s->rule->dotted, exported);
}

/* Whether the field was defined before, and its rule wants only the first definition. */
static bool is_repeated_field(
    struct definition_walk *w, const struct definition_site *s, const struct found_definition *f)
{
	if (strcmp(f->def.kind, "field"))
		return false;
	return references_mark_defined(w->uses, f->def.qualified) && s->rule->once;
}

/* Add a definition for one name; false if the node holds no name, or one that is not wanted. */
static bool add(struct definition_walk *w, const struct definition_site *s, TSNode node, bool first)
{
	bool exported = s->exported;
	const char *name = site_name(w, s, node, &exported);
	struct found_definition f = {
		.flat = s->rule->flat,
		.has_body = !ts_node_is_null(s->body),
		.first = first,
		.wrapped = exported,
		.nested = frames_position(w).local && !s->rule->lift,
	};

	if (!name || (!strcmp(name, "_") && !s->rule->callable))
		return false;
	name_and_kind(w, &f, s, name);
	if (is_repeated_field(w, s, &f))
		return false;
	set_range(w, &f, s, node);
	set_doc(w, &f, s);
	if (s->rule->callable) {
		const char *head = head_without_comments(w->t, s->outer, s->head, s->head_end);
		f.def.signature = head_signature(w->t, head, s->head_end - s->head);
	}
	set_marks(w, &f, s, node, name);
	f.def.type = references_normal_type(w->uses, node_path_get(&s->rule->type, s->node));
	if (!s->rule->callable && first)
		f.def.value = references_normal_value(
		    w->uses, node_path_get(&s->rule->value, s->node), s->rule->lift);
	references_claim(w->uses, node, CLAIM_SKIP);
	w->out->v = grow(w->out->v, &w->out->cap, w->out->n + 1, sizeof f);
	w->out->v[w->out->n++] = f;
	return true;
}

static int add_names(
    struct definition_walk *w, const struct definition_site *s, TSNode holder, int step);

/* Add the name at the end of a step, or the names at the ends of further steps. */
static int add_names_at(struct definition_walk *w, const struct definition_site *s, TSNode holder,
    TSNode n, int step, bool first)
{
	if (ts_node_is_null(n))
		return 0;
	if (step + 1 < s->rule->name.n)
		return add_names(w, s, n, step + 1);
	n = chain_end(s->rule, holder, n);
	return !ts_node_is_null(n) && add(w, s, n, first);
}

/* A search for names among the children of a node. */
struct name_search {
	struct definition_walk *walk;
	const struct definition_site *site;
	TSNode holder;
	int step, found, seen;
};

static bool add_child(void *arg, TSNode n, TSFieldId field)
{
	struct name_search *x = arg;
	const struct def_rule *d = x->site->rule;
	const struct node_path *p = &d->name;
	bool token = d->scoped && field && field == p->step[x->step].field;	/* `+` */

	if (!token && !node_path_step_matches(p, x->step, field, n))
		return true;
	x->found += add_names_at(x->walk, x->site, x->holder, n, x->step, x->found == 0);
	/* Found by its type alone: later children of that type may be anything. */
	if (x->step + 1 == p->n && !p->step[x->step].field && !d->each)
		return false;
	return ++x->seen < MAX_NAMES;
}

/* Add the names below `holder` at the end of the rule's path; returns how many there were. */
static int add_names(
    struct definition_walk *w, const struct definition_site *s, TSNode holder, int step)
{
	const struct node_path *p = &s->rule->name;

	if (p->step[step].nth || p->step[step].kind >= STEP_SELF) {
		struct node_path one = { .step = { p->step[step] }, .n = 1 };
		return add_names_at(w, s, holder, node_path_get(&one, holder), step, true);
	}
	struct name_search x = { .walk = w, .site = s, .holder = holder, .step = step };
	nodes_children(holder, add_child, &x);
	return x.found;
}

int definitions_add(struct definition_walk *w, const struct definition_site *s)
{
	return add_names(w, s, s->node, 0);
}

void definitions_add_minor(struct definition_walk *w, const char *kind, TSNode whole, TSNode name)
{
	struct found_definitions *out = w->out;
	bool exported;
	const char *text = head_name(w->t, name, false, &exported);

	if (!text || !strcmp(text, "_"))
		return;
	uint32_t end = node_end_row(whole) + (ts_node_end_point(whole).column > 0);
	out->minors.v = grow(out->minors.v, &out->minors.cap, out->minors.n + 1, sizeof *out->minors.v);
	out->minors.v[out->minors.n++] = (struct minor_name){
		.name = text,
		.kind = kind,
		.start_line = node_line(whole),
		.end_line = MAX(end, node_line(whole)),
		.start_byte = node_start_byte(whole),
		.end_byte = node_end_byte(whole),
	};
}

static bool minor_fits(
    const struct definition_walk *w, const struct def_rule *d, TSNode n, bool local)
{
	if (!d->minor || (d->top && local) || (d->in && !frames_are_in(w, d->in)))
		return false;
	return condition_holds(&d->when, w->t, n);
}

void definitions_add_minors(struct definition_walk *w, TSNode n, const struct node_rule *rule)
{
	const struct def_rule *d = rule->defs;
	TSNode names[MANY_NODES];
	bool local = frames_position(w).local;

	while (d && !minor_fits(w, d, n, local))
		d = d->next;
	if (!d)
		return;
	size_t count = node_path_all(&d->name, n, names, MANY_NODES);
	for (size_t i = 0; i < count; i++)
		definitions_add_minor(w, d->kind, n, names[i]);
}

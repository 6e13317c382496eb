#include "shard/definitions.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/comment.h"
#include "shard/head.h"
#include "shard/references.h"
#include "shard/rules.h"

enum { MAX_NAMES = 512, MAX_CHAIN = 12, FEW = 8 };

/* A node that the walk is inside of and that matters to what is below. */
struct frame {
	uint32_t depth;
	TSNode node;
	const struct node_rule *rule;
	int def;		/* index, or -1 */
	const char *owner;	/* qualified name of the type that its members belong to, which stands elsewhere; NULL */
	const char *members;	/* their visibility before any section; NULL */
	bool local;		/* a function */
	bool wrap;
	bool open;		/* with `owner`: members are visible */
	bool hidden;		/* what is in it is */
	struct place place;	/* of what is right inside */
};

/* A word that says how visible the siblings after it are. */
struct section {
	uint32_t depth, from, to;
};

struct walk {
	struct tree *t;
	struct found_list *out;
	struct references *uses;
	struct frame *frame;
	size_t nframes, cap;
	uint32_t depth;
	struct { uint32_t from, to; } comment;	/* the run of comments seen last */
	struct { uint32_t from, to, line; } before;	/* the run of attributes seen last */
	struct { struct section *v; size_t n, cap; } sections;
	struct { const char **v; size_t n, cap; } exports;
	size_t bindings_cap;
};

static const char *copy(struct walk *w, uint32_t from, uint32_t to)
{
	return arena_strn(w->t->arena, w->t->text + from, to - from);
}

/* Whether only white space with at most one line end lies between. */
static bool adjacent(const struct tree *t, uint32_t from, uint32_t to)
{
	int lines = 0;

	for (uint32_t i = from; i < to; i++) {
		lines += t->text[i] == '\n';
		if (!isspace((unsigned char)t->text[i]) || lines > 1)
			return false;
	}
	return from <= to;
}

static bool starts_line(const struct tree *t, uint32_t at)
{
	while (at && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t'))
		at--;
	return !at || t->text[at - 1] == '\n';
}

static void note_comment(struct walk *w, TSNode n)
{
	uint32_t from = node_from(n), to = node_to(n);

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

static void note_before(struct walk *w, TSNode n)
{
	if (!w->before.to || !adjacent(w->t, w->before.to, node_from(n))) {
		w->before.from = node_from(n);
		w->before.line = node_line(n);
	}
	w->before.to = node_to(n);
}

/* A node's text as a string of its own, cut to what a keyword can be. */
static const char *keyword(const struct tree *t, TSNode n, char text[32])
{
	uint32_t len = node_len(n) < 31 ? node_len(n) : 31;

	memcpy(text, t->text + node_from(n), len);
	text[len] = '\0';
	return text;
}

static void note_section(struct walk *w, TSNode n, const char *texts)
{
	char text[32];

	if (texts && !type_among(keyword(w->t, n, text), texts))
		return;
	w->sections.v = grow(w->sections.v, &w->sections.cap, w->sections.n + 1, sizeof *w->sections.v);
	w->sections.v[w->sections.n++] = (struct section){ w->depth, node_from(n), node_to(n) };
}

static bool chain_fits(const struct def_rule *d, const char *holder)
{
	return (!d->last || !strcmp(d->last, holder)) && (!d->notlast || strcmp(d->notlast, holder));
}

/* Follow a declarator chain down to the identifier; null when it is not of the kind that the rule wants. */
static TSNode chain_end(const struct def_rule *d, TSNode parent, TSNode n)
{
	n = path_follow(&d->name, n, &parent);
	return chain_fits(d, ts_node_type(parent)) ? n : (TSNode){ 0 };
}

static bool is_type(const char *kind)
{
	return type_among(kind, "class|interface|trait|struct|enum");
}

static struct frame *frame_top(const struct walk *w)
{
	return w->nframes ? &w->frame[w->nframes - 1] : NULL;
}

/* What is around the node that the walk is at. */
static struct place here(const struct walk *w)
{
	static const struct place file = { .definition = -1, .function = -1, .type = -1 };
	struct place p = w->nframes ? w->frame[w->nframes - 1].place : file;

	p.depth = w->depth;
	return p;
}

static bool in_function(const struct walk *w)
{
	return here(w).local;
}

/* The innermost frame that gives its members a name; NULL: the file. */
static const struct frame *naming_frame(const struct walk *w)
{
	for (size_t i = w->nframes; i--;)
		if (w->frame[i].owner || (w->frame[i].def >= 0 && !w->out->v[w->frame[i].def].flat))
			return &w->frame[i];
	return NULL;
}

/* Whether the section that the walk is in, or what is around it, hides. */
static bool hidden_here(const struct walk *w)
{
	const struct frame *f = naming_frame(w);
	const struct section *s = w->sections.n ? &w->sections.v[w->sections.n - 1] : NULL;

	for (size_t i = 0; i < w->nframes; i++)
		if (w->frame[i].hidden)
			return true;
	if (s && (!f || s->depth > f->depth))
		return head_is_hidden(w->t->rules, "", w->t->text + s->from, s->to - s->from);
	return f && f->members && head_is_hidden(w->t->rules, "", f->members, strlen(f->members));
}

/* The definition around, or -1; `naming` leaves out those that do not name. */
static int around(const struct walk *w, bool naming)
{
	for (size_t i = w->nframes; i--;)
		if (w->frame[i].def >= 0 && !(naming && w->out->v[w->frame[i].def].flat))
			return w->frame[i].def;
	return -1;
}

/* Whether `wrapper` holds one thing only, annotations aside. */
static bool alone(const struct walk *w, TSNode wrapper)
{
	uint32_t count = ts_node_named_child_count(wrapper), things = 0;

	for (uint32_t i = 0; i < count && count <= FEW; i++) {
		const struct node_rule *r = rules_of(w->t->rules, ts_node_named_child(wrapper, i));
		things += !r || !(r->marks & (MARK_ANNOTATION | MARK_COMMENT));
	}
	return things == 1;
}

/* The outermost wrapper around `n`, the definition that the walk is at, that holds nothing else; `*from`: of any. */
static TSNode outermost(const struct walk *w, TSNode n, bool *exported, uint32_t *from)
{
	uint32_t depth = w->depth;
	bool widen = true;

	for (size_t i = w->nframes; i-- && w->frame[i].wrap && w->frame[i].depth + 1 == depth; depth--) {
		*exported |= w->frame[i].rule->marks & MARK_EXPORT;
		*from = node_from(w->frame[i].node);
		widen = widen && alone(w, w->frame[i].node);
		if (widen)
			n = w->frame[i].node;
	}
	return n;
}

/* The first string of a body. */
static const char *docstring(struct walk *w, TSNode body)
{
	TSNode s = ts_node_named_child(body, 0);

	if (!ts_node_is_null(s) && !strcmp(ts_node_type(s), "expression_statement"))
		s = ts_node_named_child(s, 0);
	const struct node_rule *r = ts_node_is_null(s) ? NULL : rules_of(w->t->rules, s);
	if (!r || r->op != VALUE_TEXT)
		return NULL;
	return comment_text(w->t->text + node_from(s), node_len(s), w->t->arena);
}

/* The name that a type's node holds, without arguments, pointers and what qualifies it. */
static TSNode type_leaf(TSNode n)
{
	static const char *const fields[] = { "type", "name" };

	for (int i = 0; i < MAX_CHAIN && ts_node_named_child_count(n); i++) {
		TSNode next = { 0 };
		for (size_t k = 0; k < LEN(fields) && ts_node_is_null(next); k++)
			next = ts_node_child_by_field_name(n, fields[k], (uint32_t)strlen(fields[k]));
		n = ts_node_is_null(next) ? ts_node_named_child(n, 0) : next;
	}
	return n;
}

static const char *owner_of(struct walk *w, const struct def_rule *d, TSNode n)
{
	TSNode owner = path_get(&d->owner, n);

	if (!d->owner.n || ts_node_is_null(owner))
		return NULL;
	owner = type_leaf(owner);
	return copy(w, node_from(owner), node_to(owner));
}

static void bind(struct walk *w, const char *name, TSNode value)
{
	struct tree *t = w->t;
	struct binding b = { .name = name, .value = value, .to = (uint32_t)t->n };
	bool member = !strncmp(name, "this.", 5) || !strncmp(name, "self.", 5);

	if (t->bindings.n && ts_node_eq(t->bindings.v[t->bindings.n - 1].value, value))
		return;		/* a field's declarator says the same again */
	b.name += member ? 5 : 0;
	for (size_t i = w->nframes; i-- && !member;)
		if (w->frame[i].local) {
			b.from = node_from(w->frame[i].node);
			b.to = node_to(w->frame[i].node);
			break;
		}
	t->bindings.v = grow(t->bindings.v, &w->bindings_cap, t->bindings.n + 1, sizeof b);
	t->bindings.v[t->bindings.n++] = b;
}

/* What a definition's node gives to each of its names. */
struct site {
	const struct def_rule *rule;
	TSNode node, outer, body;
	uint32_t head, head_end;
	uint32_t from;		/* of the statement around it */
	bool exported, before;	/* before: attributes stand there */
};

/* What comes before the names of members here, NULL: nothing; whether they are members of a type. */
static const char *prefix_here(const struct walk *w, bool *in_type)
{
	const struct frame *f = naming_frame(w);

	*in_type = f && (f->owner || is_type(w->out->v[f->def].def.kind));
	return !f ? NULL : f->owner ? f->owner : w->out->v[f->def].def.qualified;
}

/* Whether a method called `name` of `qualified` makes an instance. */
static bool constructs(const struct rules *r, const char *name, const char *qualified)
{
	size_t n = strlen(name), all = strlen(qualified);
	const char *owner = all > n + 1 ? qualified + all - n - 1 : qualified;	/* the end of its type's name */

	for (size_t i = 0; i < r->constructors.n; i++) {
		if (!strcmp(r->constructors.v[i], name))
			return true;
		if (!strcmp(r->constructors.v[i], "=") && (size_t)(owner - qualified) >= n &&
		    !memcmp(owner - n, name, n) && ((size_t)(owner - qualified) == n || owner[-(long)n - 1] == '.'))
			return true;
	}
	return false;
}

/* The name of an owner that stands elsewhere: of the module around, unless it is what is around. */
static const char *owned_by(const struct walk *w, const char *prefix, const char *owner)
{
	size_t n = prefix ? strlen(prefix) : 0, len = strlen(owner);

	if (!prefix || (n >= len && !strcmp(prefix + n - len, owner) && (n == len || prefix[n - len - 1] == '.')))
		return prefix ? prefix : owner;
	return arena_printf(w->t->arena, "%s.%s", prefix, owner);
}

static void name_and_kind(struct walk *w, struct found *f, const struct site *s, const char *name)
{
	bool in_type, qualifies = s->rule->dotted || s->rule->scoped;
	const char *prefix = prefix_here(w, &in_type), *owner = owner_of(w, s->rule, s->node);
	const char *dot = qualifies ? strrchr(name, '.') : NULL;

	f->def.parent = s->rule->lift ? here(w).type : around(w, false);
	f->def.name = dot && dot[1] ? dot + 1 : name;
	f->def.kind = s->rule->kind;
	if (in_type && s->rule->member)
		f->def.kind = s->rule->member;
	else if (dot && s->rule->callable)
		f->def.kind = "method";
	if (owner)
		prefix = owned_by(w, prefix, owner);
	if (s->rule->lift)
		prefix = w->out->v[f->def.parent].def.qualified;
	f->def.qualified = prefix ? arena_printf(w->t->arena, "%s.%s", prefix, name) : name;
	if (!strcmp(f->def.kind, "method") && !strchr(f->def.qualified, '.'))
		f->def.kind = "function";
	if (!strcmp(f->def.kind, "method") && constructs(w->t->rules, f->def.name, f->def.qualified))
		f->def.kind = "constructor";
}

static void place(struct walk *w, struct found *f, const struct site *s, TSNode name)
{
	TSNode whole = s->rule->each ? name : s->outer;
	uint32_t to = node_to(whole);

	while (to > node_from(whole) && isspace((unsigned char)w->t->text[to - 1]))
		to--;
	f->def.start_byte = f->from = s->before ? w->before.from : node_from(whole);
	f->def.end_byte = f->to = to;
	f->def.start_line = s->before ? w->before.line : node_line(whole);
	f->def.end_line = ts_node_end_point(whole).row + (ts_node_end_point(whole).column > 0);
	if (f->def.end_line < f->def.start_line)
		f->def.end_line = f->def.start_line;
	if (s->rule->docstring && !ts_node_is_null(s->body))
		f->def.doc = docstring(w, s->body);
	if (!w->comment.to || !f->first || !(adjacent(w->t, w->comment.to, s->from) ||
	    (s->before && adjacent(w->t, w->comment.to, w->before.from))))
		return;
	if (s->from == f->from || (s->before && w->comment.from < f->from))
		f->from = w->comment.from;
	if (!f->def.doc)
		f->def.doc = comment_text(w->t->text + w->comment.from, w->comment.to - w->comment.from, w->t->arena);
}

/* Whether what is around shows its members, whatever they say. */
static bool opened(const struct walk *w)
{
	const struct frame *f = naming_frame(w);

	return f && f->open;
}

/* Add one name; whether it was one. */
static bool add(struct walk *w, const struct site *s, TSNode node, bool first)
{
	bool exported = s->exported;
	const char *name = s->rule->scoped ? head_scoped_name(w->t, node)
	    : head_name(w->t, node, s->rule->dotted, &exported);
	const char *head = w->t->text + s->head;
	size_t nhead = s->head_end - s->head;
	struct found f = { .flat = s->rule->flat, .has_body = !ts_node_is_null(s->body), .first = first,
		.wrapped = exported, .nested = in_function(w) && !s->rule->lift };

	if (!name || (!strcmp(name, "_") && !s->rule->callable))
		return false;
	name_and_kind(w, &f, s, name);
	if (!strcmp(f.def.kind, "field") && references_defined(w->uses, f.def.qualified) && s->rule->once)
		return false;
	place(w, &f, s, node);
	if (s->rule->callable)
		f.def.signature = head_signature(w->t, s->head, s->head_end);
	if (node_from(node) >= s->head && node_from(node) < s->head_end)
		nhead = node_from(node) - s->head;	/* modifiers after the name are those of parameters */
	f.hidden = hidden_here(w) || head_is_hidden(w->t->rules, name, head, nhead);
	f.def.exported = !hidden_here(w) &&
	    (opened(w) || s->rule->visible || head_exports(w->t->rules, f.def.name, f.wrapped, head, nhead));
	f.def.test = head_is_test(w->t->rules, f.def.name, w->t->text + f.def.start_byte,
	    s->head_end > f.def.start_byte ? s->head_end - f.def.start_byte : 0) ||
	    (is_type(f.def.kind) && head_is_test_type(w->t->rules, f.def.name));
	f.def.type = references_type(w->uses, path_get(&s->rule->type, s->node));
	if (!s->rule->callable && first)
		f.def.value = references_value(w->uses, path_get(&s->rule->value, s->node), s->rule->lift);
	references_claim(w->uses, node, CLAIM_SKIP);
	w->out->v = grow(w->out->v, &w->out->cap, w->out->n + 1, sizeof f);
	w->out->v[w->out->n++] = f;
	return true;
}

static int add_names(struct walk *w, const struct site *s, TSNode holder, int step);

/* Add the name at the end of a step, or those that further steps lead to. */
static int add_names_at(struct walk *w, const struct site *s, TSNode holder, TSNode n, int step, bool first)
{
	if (ts_node_is_null(n))
		return 0;
	if (step + 1 < s->rule->name.n)
		return add_names(w, s, n, step + 1);
	n = chain_end(s->rule, holder, n);
	return !ts_node_is_null(n) && add(w, s, n, first);
}

/* Add the names below `holder` at the end of the rule's path; how many there were. */
static int add_names(struct walk *w, const struct site *s, TSNode holder, int step)
{
	const struct path *p = &s->rule->name, one = { .step = { p->step[step] }, .n = 1 };
	int found = 0, seen = 0;

	if (p->step[step].nth || p->step[step].kind >= STEP_SELF)
		return add_names_at(w, s, holder, path_get(&one, holder), step, true);
	TSTreeCursor c = ts_tree_cursor_new(holder);
	bool more = ts_tree_cursor_goto_first_child(&c);
	for (; more && seen < MAX_NAMES; more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode n = ts_tree_cursor_current_node(&c);
		TSFieldId field = ts_tree_cursor_current_field_id(&c);
		bool token = s->rule->scoped && field && field == p->step[step].field;	/* `+` */
		if (!token && !path_step_is(p, step, field, n))
			continue;
		seen++;
		found += add_names_at(w, s, holder, n, step, found == 0);
		if (step + 1 == p->n && !p->step[step].field && !s->rule->each)	/* found by its type: what follows may be anything */
			break;
	}
	ts_tree_cursor_delete(&c);
	return found;
}

/* Whether what gives members their names here is of one of the kinds. */
static bool in_kind(const struct walk *w, const char *kinds)
{
	const struct frame *f = naming_frame(w);

	return f && f->def >= 0 && type_among(w->out->v[f->def].def.kind, kinds);
}

static bool rule_fits(const struct walk *w, const struct def_rule *d, const struct site *s, bool local)
{
	const char *head = w->t->text + s->head;

	if ((local && d->top) || (d->in && !in_kind(w, d->in)) || (d->lift && here(w).type < 0))
		return false;
	if (!condition_holds(&d->when, w->t, s->node))
		return false;
	if (d->without && head_has(head, s->head_end - s->head, d->without))
		return false;
	return !d->words || head_has(head, s->head_end - s->head, d->words);
}

static void site_measure(struct site *s, const struct def_rule *d)
{
	s->rule = d;
	s->body = d->body.n ? path_get(&d->body, s->node) : (TSNode){ 0 };
	s->head_end = ts_node_is_null(s->body) ? node_to(s->node) : node_from(s->body);
	if (s->head_end < s->head)
		s->head_end = s->head;
}

/* Tell urls the value that a node gives to a name, also where the name is no definition. */
static void note_value(struct walk *w, TSNode name, TSNode value)
{
	if (!ts_node_is_null(value) && !ts_node_is_null(name) && node_len(name) <= HEAD_NAME)
		bind(w, copy(w, node_from(name), node_to(name)), value);
}

static void note_values(struct walk *w, TSNode n, const struct node_rule *rule)
{
	if (rule->marks & MARK_BIND)
		note_value(w, path_get(&rule->bind_name, n), path_get(&rule->bind_value, n));
	for (const struct def_rule *d = rule->defs; d; d = d->next)
		if (d->value.n) {
			note_value(w, path_get(&d->name, n), path_get(&d->value, n));
			return;
		}
}

static void push(struct walk *w, TSNode n, const struct node_rule *rule, int def, bool local, bool wrap)
{
	struct place p = here(w);

	if (def >= 0) {
		p.definition = def;
		p.function = local ? def : p.function;
		p.type = is_type(w->out->v[def].def.kind) ? def : p.type;
	}
	if (local)	/* the function that a name is given is not another one */
		p.direct = def >= 0 || (w->nframes && frame_top(w)->local && frame_top(w)->def >= 0 &&
		    frame_top(w)->depth + 1 == w->depth);
	p.local = p.local || local;
	w->frame = grow(w->frame, &w->cap, w->nframes + 1, sizeof *w->frame);
	w->frame[w->nframes++] = (struct frame){ .depth = w->depth, .node = n, .rule = rule, .def = def,
		.local = local, .wrap = wrap, .place = p };
	if (local)
		references_open(w->uses, w->depth);
}

/* Whether a rule may fit, by what is right around. */
static bool stands_under(const struct walk *w, const struct def_rule *d)
{
	return !d->within || (w->nframes && type_among(ts_node_type(frame_top(w)->node), d->within));
}

static bool define(struct walk *w, TSNode n, const struct node_rule *rule)
{
	struct site s = { .node = n, .from = node_from(n) };
	const struct def_rule *first = rule->defs;
	bool local = in_function(w);

	while (first && !stands_under(w, first))
		first = first->next;
	if (!first)
		return false;
	s.outer = outermost(w, n, &s.exported, &s.from);
	s.before = w->before.to && adjacent(w->t, w->before.to, s.from);
	s.head = head_start(w->t, s.outer);
	for (const struct def_rule *d = first; d; d = d->next) {
		site_measure(&s, d);
		if (!stands_under(w, d) || !rule_fits(w, d, &s, local))
			continue;
		size_t before = w->out->n;
		if (!add_names(w, &s, n, 0))
			continue;
		references_claim(w->uses, path_get(&d->type, n), CLAIM_TYPE);
		references_adopt(w->uses, w->out->v[before].def.start_byte, (int)before);
		if (d->each || d->lift)
			return true;
		push(w, n, rule, (int)before, d->callable, false);
		frame_top(w)->members = d->members;
		return true;
	}
	return false;
}

static void export_name(struct walk *w, TSNode n)
{
	if (ts_node_named_child_count(n) || !node_len(n) || node_len(n) > HEAD_NAME)
		return;
	w->exports.v = grow(w->exports.v, &w->exports.cap, w->exports.n + 1, sizeof *w->exports.v);
	w->exports.v[w->exports.n++] = copy(w, node_from(n), node_to(n));
}

/* Names that a statement exports elsewhere than at their definition. */
static void note_exports(struct walk *w, TSNode n, const struct node_rule *rule)
{
	TSNode at = path_get(&rule->exports, n), when = path_get(&rule->exports_when, n);

	if (ts_node_is_null(at) || (rule->exports_text && !node_is(w->t, when, rule->exports_text)))
		return;
	export_name(w, at);
	TSTreeCursor c = ts_tree_cursor_new(at);
	for (bool more = ts_tree_cursor_goto_first_child(&c); more; more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		uint32_t count = ts_node_named_child_count(k);
		if (!ts_node_is_named(k))
			continue;
		export_name(w, count ? ts_node_named_child(k, count - 1) : k);
		if (count)	/* `key: function` exports a function called key */
			export_name(w, ts_node_named_child(k, 0));
	}
	ts_tree_cursor_delete(&c);
}

/* What is in `n` belongs to a type that stands elsewhere. */
static void extend(struct walk *w, TSNode n, const struct node_rule *rule)
{
	TSNode type = path_get(&rule->extends, n);
	bool in_type;
	const char *prefix = prefix_here(w, &in_type), *name;

	if (ts_node_is_null(type))
		return;
	type = type_leaf(type);
	name = copy(w, node_from(type), node_to(type));
	push(w, n, rule, -1, false, false);
	frame_top(w)->owner = prefix ? arena_printf(w->t->arena, "%s.%s", prefix, name) : name;
	frame_top(w)->open = rule->opens.n && !ts_node_is_null(path_get(&rule->opens, n));
}

/* Definitions, comments and what else the node means to the definitions after it; an import defines nothing. */
static void enter_rule(struct walk *w, TSNode n, const struct node_rule *rule, bool import)
{
	if (rule->exports.n)
		note_exports(w, n, rule);
	note_values(w, n, rule);
	if (rule->marks & MARK_COMMENT)
		note_comment(w, n);
	else if (rule->marks & MARK_BEFORE)
		note_before(w, n);
	else if (rule->defs && !import && define(w, n, rule))
		return;
	else if (rule->extends.n)
		extend(w, n, rule);
	else if (rule->marks & MARK_SECTION)
		note_section(w, n, rule->section);
	else if (rule->marks & (MARK_WRAP | MARK_SCOPE | MARK_UNNAMED))
		push(w, n, rule, -1, rule->marks & MARK_SCOPE, rule->marks & MARK_WRAP);
	if (rule->marks & MARK_UNNAMED)
		frame_top(w)->hidden = true;
}

/* Where what a return statement here gives back is kept; NULL: the function has no name, or a declared type. */
static const char **returned(struct walk *w, const struct place *p)
{
	struct definition *d = p->direct ? &w->out->v[p->function].def : NULL;

	return d && !d->type ? &d->value : NULL;
}

static void enter(struct walk *w, TSNode n)
{
	const struct node_rule *rule = rules_of(w->t->rules, n);
	struct place around, at;

	while (w->nframes && frame_top(w)->depth >= w->depth)
		w->nframes--;
	while (w->sections.n && w->sections.v[w->sections.n - 1].depth > w->depth)
		w->sections.n--;
	references_move(w->uses, n, w->depth);
	if (!rule)
		return;
	around = here(w);
	enter_rule(w, n, rule, rule->imports && references_import(w->uses, n, rule, &around));
	at = here(w);
	references_see(w->uses, n, rule, &at, returned(w, &around));
}

/* Whether members of such a definition are visible unless they are hidden. */
static bool inherits_visibility(enum export_rule rule, const char *kind)
{
	if (rule == EXPORT_PUBLIC || rule == EXPORT_PUB)
		return type_among(kind, "interface|enum|trait");
	return rule == EXPORT_WRAPPED || rule == EXPORT_VISIBLE || (rule == EXPORT_NOT_STATIC && is_type(kind));
}

/* Members are visible when what holds them is. */
static void settle_exports(struct walk *w)
{
	const struct rules *r = w->t->rules;

	for (size_t i = 0; i < w->out->n; i++) {
		struct found *f = &w->out->v[i], *up = f->def.parent < 0 ? NULL : &w->out->v[f->def.parent];
		for (size_t k = 0; !up && k < w->exports.n; k++)
			f->def.exported |= !strcmp(w->exports.v[k], f->def.qualified);
		if (!up)
			continue;
		if (inherits_visibility(r->exported, up->def.kind))
			f->def.exported = !f->hidden;
		f->def.test |= up->def.test && type_among(up->def.kind, "module|class|struct");
		f->def.exported = f->def.exported && up->def.exported && !f->nested;
	}
}

static void walk_tree(struct walk *w)
{
	TSTreeCursor c = ts_tree_cursor_new(w->t->root);

	for (bool done = false; !done;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		if (ts_node_is_named(n))	/* words and signs mean nothing by themselves */
			enter(w, n);
		if (w->depth > w->t->depth)
			w->t->depth = w->depth;
		if (ts_node_child_count(n) && ts_tree_cursor_goto_first_child(&c)) {
			w->depth++;
			continue;
		}
		while (!done && !ts_tree_cursor_goto_next_sibling(&c)) {
			done = !ts_tree_cursor_goto_parent(&c);
			w->depth--;
		}
	}
	ts_tree_cursor_delete(&c);
}

void definitions_find(struct tree *t, struct found_list *out, struct references *uses)
{
	struct walk w = { .t = t, .out = out, .uses = uses };
	struct binding *bindings;

	out->n = 0;
	references_begin(uses, t);
	walk_tree(&w);
	settle_exports(&w);
	bindings = t->bindings.v;
	t->bindings.v = arena_many(t->arena, t->bindings.n, struct binding);
	if (t->bindings.n)
		memcpy(t->bindings.v, bindings, t->bindings.n * sizeof *bindings);
	free(bindings);
	free(w.exports.v);
	free(w.sections.v);
	free(w.frame);
}

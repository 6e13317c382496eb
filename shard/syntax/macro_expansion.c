#include "shard/syntax/macro_expansion.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/macro_match.h"
#include "shard/syntax/node_rules.h"

enum { MAX_MACROS = 64, MAX_RULES = 16, MAX_TOKENS = 200000, MAX_NESTING = 16, MAX_USES = 2000, MAX_LINES = 1 << 22 };

struct macro_rule {
	struct macro_slice pattern, body;
};

struct macro {
	struct macro_token name;
	struct macro_rule rule[MAX_RULES];
	size_t n;
	int uses;		/* outside of macros */
	bool paths;		/* its bodies write paths */
};

struct expander {
	struct macro macro[MAX_MACROS];
	size_t n, made, uses;	/* made: how many tokens, in `uses` expansions */
};

/* Where the tokens of a body stand: each where it is written, or all on one line. */
struct body_place {
	bool fixed;
	uint32_t row;
};

/* ---- definitions ---- */

/* Whether one of the tokens is a string that begins with a slash. */
static bool has_path(struct macro_slice l)
{
	for (size_t i = 0; i < l.n; i++)
		if (l.v[i].n > 2 && l.v[i].s[0] == '"' && l.v[i].s[1] == '/')
			return true;
	return false;
}

/* Read the rules `(pattern) => { body };` of a macro. */
static void read_rules(struct macro *m, struct macro_slice l)
{
	size_t i = 0;

	while (i + 2 < l.n && m->n < MAX_RULES && l.v[i].skip) {
		size_t body = i + l.v[i].skip + 2;
		if (body >= l.n || !macro_token_is(&l.v[body - 1], "=>") || !l.v[body].skip)
			return;
		struct macro_rule *r = &m->rule[m->n++];
		*r = (struct macro_rule){ macro_group(l, i), macro_group(l, body) };
		m->paths |= has_path(r->body);
		i = body + l.v[body].skip + 1;
		i += i < l.n && macro_token_is(&l.v[i], ";");
	}
}

/* The length of the definition of a macro at `i`; 0: there is none. */
static size_t definition_length(struct macro_slice l, size_t i)
{
	if (i + 3 >= l.n || !macro_token_is(&l.v[i], "macro_rules"))
		return 0;
	if (!macro_token_is(&l.v[i + 1], "!") || !l.v[i + 3].skip)
		return 0;
	return 4 + l.v[i + 3].skip;
}

static void read_definitions(struct expander *x, struct macro_slice l)
{
	for (size_t i = 0, n; i < l.n; i += n ? n : 1) {
		n = definition_length(l, i);
		if (!n || x->n == MAX_MACROS)
			continue;
		struct macro *m = &x->macro[x->n++];
		*m = (struct macro){ .name = l.v[i + 2] };
		read_rules(m, macro_group(l, i + 3));
	}
}

/* The macro whose use `name!(...)` begins at `i`, or NULL. */
static struct macro *used_at(struct expander *x, struct macro_slice l, size_t i)
{
	if (i + 2 >= l.n || !macro_token_is(&l.v[i + 1], "!") || !l.v[i + 2].skip)
		return NULL;
	for (size_t k = 0; k < x->n; k++)
		if (l.v[i].n == x->macro[k].name.n && !memcmp(l.v[i].s, x->macro[k].name.s, l.v[i].n))
			return &x->macro[k];
	return NULL;
}

static void count_uses(struct expander *x, struct macro_slice l)
{
	for (size_t i = 0; i < l.n; i++) {
		size_t n = definition_length(l, i);
		struct macro *m = used_at(x, l, i);
		if (n)
			i += n - 1;
		else if (m)
			m->uses++;
	}
}

/* ---- bodies ---- */

struct transcriber {
	struct expander *x;
	const struct macro_bindings *bindings;
	struct macro_tokens *out;
	uint32_t repetition[MACRO_MAX_DEPTH];
	int depth;
};

static bool same_name(const struct macro_token *a, const struct macro_token *b)
{
	return a->n == b->n && !memcmp(a->s, b->s, a->n);
}

/* Whether the binding is of the repetitions that the body is in, `depth` of them. */
static bool is_in_repetition(
    const struct transcriber *t, const struct macro_binding *b, int depth)
{
	return b->depth >= depth &&
	    !memcmp(b->repetition, t->repetition, (size_t)depth * sizeof *b->repetition);
}

static const struct macro_binding *binding_of(
    const struct transcriber *t, const struct macro_token *name)
{
	for (size_t i = 0; i < t->bindings->n; i++) {
		const struct macro_binding *b = &t->bindings->v[i];
		if (b->depth <= t->depth && same_name(&b->name, name) && is_in_repetition(t, b, b->depth))
			return b;
	}
	return NULL;
}

/* Whether a variable of the body is the binding's. */
static bool uses_binding(struct macro_slice body, const struct macro_binding *b)
{
	for (size_t i = 0; i + 1 < body.n; i++)
		if (macro_token_is(&body.v[i], "$") && same_name(&body.v[i + 1], &b->name))
			return true;
	return false;
}

/* How often the body is repeated: as often as the variables in it. */
static uint32_t repetitions(const struct transcriber *t, struct macro_slice body)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t->bindings->n; i++) {
		const struct macro_binding *b = &t->bindings->v[i];
		if (b->depth <= t->depth || !is_in_repetition(t, b, t->depth) || !uses_binding(body, b))
			continue;
		if (b->repetition[t->depth] >= n)
			n = b->repetition[t->depth] + 1;
	}
	return n;
}

/* The line of the first variable that the repetition at hand uses. */
static struct body_place place_of_repetition(
    const struct transcriber *t, struct macro_slice body, struct body_place around)
{
	for (size_t i = 0; i < t->bindings->n; i++) {
		const struct macro_binding *b = &t->bindings->v[i];
		if (b->depth == t->depth && b->value.n && is_in_repetition(t, b, t->depth) &&
		    uses_binding(body, b))
			return (struct body_place){ true, b->value.v->row };
	}
	return around;
}

static void emit(
    struct transcriber *t, const struct macro_token *token, bool space, struct body_place place)
{
	struct macro_token out = *token;

	out.space = space;
	if (place.fixed)
		out.row = place.row;
	macro_tokens_add(t->out, &out);
	t->x->made++;
}

static void transcribe(struct transcriber *, struct macro_slice body, struct body_place);

static void transcribe_repetition(
    struct transcriber *t, const struct macro_repetition *r, struct body_place place)
{
	uint32_t n = 0;

	if (t->depth < MACRO_MAX_DEPTH)
		n = repetitions(t, r->inside);
	int depth = t->depth++;
	for (uint32_t i = 0; i < n && t->x->made < MAX_TOKENS; i++) {
		t->repetition[depth] = i;
		struct body_place own = place_of_repetition(t, r->inside, place);
		if (i && r->separator)
			emit(t, r->separator, false, own);
		transcribe(t, r->inside, own);
	}
	t->depth--;
}

/* Write what a variable is; false: there is none of that name. */
static bool transcribe_variable(
    struct transcriber *t, const struct macro_token *sign, struct body_place place)
{
	const struct macro_binding *b = binding_of(t, sign + 1);

	for (size_t i = 0; b && i < b->value.n; i++)
		emit(t, &b->value.v[i], i ? b->value.v[i].space : sign->space, place);
	return b != NULL;
}

static void transcribe(struct transcriber *t, struct macro_slice body, struct body_place place)
{
	for (size_t i = 0; i < body.n && t->x->made < MAX_TOKENS; i++) {
		struct macro_repetition r;
		size_t end = macro_repetition_at(body, i, &r);
		bool variable = i + 1 < body.n && macro_token_is(&body.v[i], "$");
		if (end) {
			transcribe_repetition(t, &r, place);
			i = end - 1;
		} else if (variable && transcribe_variable(t, &body.v[i], place)) {
			i++;
		} else if (!variable) {		/* of $crate only crate */
			emit(t, &body.v[i], body.v[i].space, place);
		}
	}
}

/* ---- uses ---- */

static void expand_within(
    struct expander *, const struct macro_tokens *, struct macro_tokens *out, int depth);

/* Append what the macro makes of its arguments, with all macros in it expanded. */
static void expand_use(struct expander *x, const struct macro *m, struct macro_slice arguments,
    bool often, struct macro_tokens *out, int depth)
{
	struct macro_bindings bindings = { 0 };
	struct macro_tokens made = { 0 };
	struct body_place place = { .fixed = often && arguments.n };

	x->uses++;
	if (place.fixed)
		place.row = arguments.v->row;
	for (size_t i = 0; i < m->n; i++) {
		bindings.n = 0;
		if (!macro_match(m->rule[i].pattern, arguments, &bindings))
			continue;
		struct transcriber t = { .x = x, .bindings = &bindings, .out = &made };
		transcribe(&t, m->rule[i].body, place);
		break;
	}
	if (macro_tokens_link(&made))
		expand_within(x, &made, out, depth + 1);
	free(made.v);
	free(bindings.v);
}

/* Append tokens, those of macros expanded. */
static void expand_within(
    struct expander *x, const struct macro_tokens *l, struct macro_tokens *out, int depth)
{
	struct macro_slice all = { l->v, l->n };

	for (size_t i = 0; i < l->n && x->made < MAX_TOKENS; i++) {
		const struct macro *m = NULL;
		if (depth < MAX_NESTING && x->uses < MAX_USES)
			m = used_at(x, all, i);
		if (!m) {
			macro_tokens_add(out, &l->v[i]);
			continue;
		}
		expand_use(x, m, macro_group(all, i + 2), true, out, depth);
		i += 2 + l->v[i + 2].skip;
	}
}

/* Expand the macros that are used at the top level of the file. */
static void expand_top(struct expander *x, struct macro_slice l, struct macro_tokens *out)
{
	for (size_t i = 0; i < l.n && x->made < MAX_TOKENS; i++) {
		size_t n = definition_length(l, i);
		const struct macro *m = used_at(x, l, i);
		if (n) {
			i += n - 1;
			continue;
		}
		if (m && (m->paths || has_path(macro_group(l, i + 2))))
			expand_use(x, m, macro_group(l, i + 2), m->uses > 1, out, 0);
		i += m ? 2 + l.v[i + 2].skip : l.v[i].skip;
	}
}

/* ---- the text ---- */

/* Whether a blank must stand before the token: there was one, or two words would become one. */
static bool needs_blank(const struct macro_token *before, const struct macro_token *t)
{
	return t->space || (macro_token_is_word(before) && macro_token_is_word(t));
}

static void write_text(const char *text, size_t n, const struct macro_tokens *l, struct arena *a,
    struct macro_expansion *out)
{
	struct buf b = { 0 };
	struct expanded_part *part = NULL;

	out->part = arena_many(a, EXPANDED_PARTS, struct expanded_part);
	buf_put(&b, text, n);
	for (size_t i = 0; i < l->n; i++) {
		bool new_part = !part || (part->line != l->v[i].row && out->nparts < EXPANDED_PARTS);
		if (new_part) {
			part = &out->part[out->nparts++];
			*part = (struct expanded_part){ .from = (uint32_t)b.n, .line = l->v[i].row };
		}
		if (!i || needs_blank(&l->v[i - 1], &l->v[i]))
			buf_byte(&b, ' ');	/* in the part: between parts it would not be seen */
		buf_put(&b, l->v[i].s, l->v[i].n);
		part->to = (uint32_t)b.n;
	}
	out->n = b.n;
	out->text = arena_strn(a, b.p, b.n);
	buf_free(&b);
}

/* Expand what the tokens of the file say; false: nothing. */
static bool expand(const char *text, size_t n, struct macro_tokens *all, struct arena *a,
    struct macro_expansion *out)
{
	struct expander *x = arena_one(a, struct expander);
	struct macro_tokens made = { 0 };
	struct macro_slice l = { all->v, all->n };

	read_definitions(x, l);
	count_uses(x, l);
	expand_top(x, l, &made);
	if (made.n)
		write_text(text, n, &made, a, out);
	bool any = made.n > 0;
	free(made.v);
	return any;
}

bool macros_expand(const struct rules *r, const char *text, size_t n, struct arena *a,
    struct macro_expansion *out)
{
	struct macro_tokens all = { 0 };
	bool any = false;

	*out = (struct macro_expansion){ 0 };
	if (!r->macros.n || n > MAX_LINES || !memmem(text, n, r->macros.v[0], strlen(r->macros.v[0])))
		return false;
	if (macro_tokens_read(text, n, &all))
		any = expand(text, n, &all, a, out);
	free(all.v);
	return any;
}

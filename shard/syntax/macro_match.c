#include "shard/syntax/macro_match.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/buf.h"

/* A match in progress. */
struct matcher {
	struct macro_bindings *out;
	uint32_t repetition[MACRO_MAX_DEPTH];
	int depth;
};

static bool same_token(const struct macro_token *a, const struct macro_token *b)
{
	return a->n == b->n && !memcmp(a->s, b->s, a->n);
}

size_t macro_repetition_at(struct macro_slice l, size_t i, struct macro_repetition *out)
{
	if (i + 1 >= l.n || !macro_token_is(&l.v[i], "$") || !macro_token_is(&l.v[i + 1], "("))
		return 0;
	size_t at = i + 1 + l.v[i + 1].skip + 1;
	*out = (struct macro_repetition){ .inside = macro_group(l, i + 1) };
	if (at < l.n && !(l.v[at].n == 1 && strchr("*+?", *l.v[at].s)))
		out->separator = &l.v[at++];
	if (at >= l.n || l.v[at].n != 1 || !strchr("*+?", *l.v[at].s))
		return 0;
	out->sign = *l.v[at].s;
	return at + 1;
}

/* ---- fragments ---- */

/* Whether the kind is matched by one token, or by one bracket with what is inside. */
static bool is_single(const struct macro_token *kind)
{
	static const char *const single[] = { "ident", "literal", "tt", "lifetime", "block" };

	for (size_t i = 0; i < LEN(single); i++)
		if (macro_token_is(kind, single[i]))
			return true;
	return false;
}

/* How many tokens a single fragment takes; 0: it does not fit. */
static size_t single_length(const struct macro_token *kind, struct macro_slice in)
{
	bool sign = macro_token_is(&in.v[0], "-"), word = macro_token_is_word(&in.v[0]);

	if (macro_token_is(kind, "ident"))
		return word;
	if (macro_token_is(kind, "literal") && sign && in.n > 1)
		return 2;
	if (macro_token_is(kind, "literal") && word)
		return macro_token_is(&in.v[0], "true") || macro_token_is(&in.v[0], "false");
	if (macro_token_is(kind, "literal"))
		return isdigit((unsigned char)*in.v[0].s) || in.v[0].s[in.v[0].n - 1] == '"' ||
		    in.v[0].s[in.v[0].n - 1] == '\'' || in.v[0].s[in.v[0].n - 1] == '#';
	return 1 + in.v[0].skip;
}

/* `pub`, `pub(crate)` or nothing. */
static size_t visibility_length(struct macro_slice in)
{
	if (!in.n || !macro_token_is(&in.v[0], "pub"))
		return 0;
	if (in.n > 1 && macro_token_is(&in.v[1], "("))
		return 2 + in.v[1].skip;
	return 1;
}

/* Whether an expression or type ends before the token. */
static bool ends_before(const struct macro_token *t, const struct macro_token *stop)
{
	if (stop && same_token(t, stop))
		return true;
	return macro_token_is(t, ",") || macro_token_is(t, ";") || macro_token_is(t, "=>");
}

/* How many angle brackets the token opens. */
static int angles(const struct macro_token *t)
{
	if (macro_token_is(t, "<"))
		return 1;
	if (macro_token_is(t, ">>"))
		return -2;
	return -macro_token_is(t, ">");
}

/* How many tokens an expression, a type, a pattern takes, up to `stop`. */
static size_t long_length(
    const struct macro_token *kind, struct macro_slice in, const struct macro_token *stop)
{
	bool type = macro_token_is(kind, "ty") || macro_token_is(kind, "path");
	bool item = macro_token_is(kind, "item");
	int open = 0;
	size_t i = 0;

	while (i < in.n) {
		if (open <= 0 && !item && ends_before(&in.v[i], stop))
			break;
		if (type)
			open += angles(&in.v[i]);
		bool last = item && (macro_token_is(&in.v[i], ";") || macro_token_is(&in.v[i], "{"));
		i += 1 + in.v[i].skip;
		if (last)
			break;
	}
	return i;
}

/* ---- patterns ---- */

static void bind(struct matcher *m, const struct macro_token *name, struct macro_slice value)
{
	struct macro_bindings *l = m->out;

	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	struct macro_binding *b = &l->v[l->n++];
	*b = (struct macro_binding){ .name = *name, .depth = m->depth, .value = value };
	memcpy(b->repetition, m->repetition, sizeof b->repetition);
}

/* `$name:kind` at `i`: how many tokens of the input it takes; SIZE_MAX: it does not fit. */
static size_t match_variable(struct matcher *m, struct macro_slice pattern, size_t i,
    struct macro_slice in, const struct macro_token *stop)
{
	const struct macro_token *kind = &pattern.v[i + 3];
	size_t n;

	if (m->out->n >= MACRO_MAX_BINDINGS)
		return SIZE_MAX;
	if (i + 4 < pattern.n && !macro_token_is(&pattern.v[i + 4], "$"))
		stop = &pattern.v[i + 4];
	if (macro_token_is(kind, "vis"))
		n = visibility_length(in);
	else if (!in.n)
		return SIZE_MAX;
	else if (is_single(kind))
		n = single_length(kind, in);
	else
		n = long_length(kind, in, stop);
	if (!n && !macro_token_is(kind, "vis"))
		return SIZE_MAX;
	bind(m, &pattern.v[i + 1], (struct macro_slice){ in.v, n });
	return n;
}

static bool match_prefix(struct matcher *, struct macro_slice pattern, struct macro_slice in,
    const struct macro_token *stop, size_t *used);

/* How many tokens of the input a repetition takes. */
static size_t match_repetition(
    struct matcher *m, const struct macro_repetition *r, struct macro_slice in)
{
	size_t at = 0, used, end = 0;

	if (m->depth == MACRO_MAX_DEPTH)
		return 0;
	int depth = m->depth++;
	for (m->repetition[depth] = 0; at < in.n; m->repetition[depth]++) {
		size_t before = m->out->n;
		bool fits = match_prefix(m, r->inside, macro_rest(in, at), r->separator, &used);
		if (!fits || !used) {
			m->out->n = before;
			break;
		}
		end = at += used;
		if (r->sign == '?')
			break;
		if (!r->separator)
			continue;
		if (at == in.n || !same_token(&in.v[at], r->separator))
			break;
		at++;
	}
	m->depth--;
	return end;
}

/* One element of the pattern at `*i`, which moves behind it; how much of the input it takes. */
static size_t match_element(struct matcher *m, struct macro_slice pattern, size_t *i,
    struct macro_slice in, const struct macro_token *stop)
{
	const struct macro_token *p = &pattern.v[*i];
	struct macro_repetition r;
	size_t end = macro_repetition_at(pattern, *i, &r), used;

	if (end) {
		*i = end;
		return match_repetition(m, &r, in);
	}
	if (macro_token_is(p, "$") && *i + 3 < pattern.n && macro_token_is(p + 2, ":")) {
		used = match_variable(m, pattern, *i, in, stop);
		*i += 4;
		return used;
	}
	if (!in.n || !same_token(p, in.v))
		return SIZE_MAX;
	if (p->skip) {
		struct macro_slice inside = macro_group(in, 0);
		if (!match_prefix(m, macro_group(pattern, *i), inside, NULL, &used) || used != inside.n)
			return SIZE_MAX;
	}
	*i += 1 + p->skip;
	return 1 + in.v->skip;
}

/* Match all of the pattern with the beginning of the input. */
static bool match_prefix(struct matcher *m, struct macro_slice pattern, struct macro_slice in,
    const struct macro_token *stop, size_t *used)
{
	size_t at = 0;

	for (size_t i = 0; i < pattern.n;) {
		size_t n = match_element(m, pattern, &i, macro_rest(in, at), stop);
		if (n == SIZE_MAX)
			return false;
		at += n;
	}
	*used = at;
	return true;
}

bool macro_match(struct macro_slice pattern, struct macro_slice in, struct macro_bindings *out)
{
	struct matcher m = { .out = out };
	size_t used;

	return match_prefix(&m, pattern, in, NULL, &used) && used == in.n;
}

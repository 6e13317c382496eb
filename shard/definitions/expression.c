#include "shard/definitions/expression_internal.h"

#include <ctype.h>

#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_LINKS = 16, MAX_STEPS = 32 };

bool normal_form_put(struct normal_form *f, const char *s, size_t n)
{
	if (f->n + n > NORMAL_FORM_MAX)
		return false;
	memcpy(f->p + f->n, s, n);
	f->n += n;
	f->p[f->n] = '\0';
	return true;
}

bool normal_form_put_text(struct normal_form *f, const char *s)
{
	return normal_form_put(f, s, strlen(s));
}

static const bool name_bytes[256] = {
	['0' ... '9'] = true,
	['A' ... 'Z'] = true,
	['a' ... 'z'] = true,
	['_'] = true,
	['$'] = true,
	['@'] = true,
	['#'] = true,
	['.'] = true,
	['~'] = true,
	[0x80 ... 0xff] = true,
};

bool is_name_byte(char c)
{
	return name_bytes[(unsigned char)c];
}

/* How many of the first bytes are copied to a name unchanged. */
static size_t name_span(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && is_name_byte(s[i]))
		i++;
	return i;
}

/* The length of a separator between the parts of a name; 0 if there is none. */
static size_t separator_length(const char *s, size_t n)
{
	static const char *const pairs[] = { "::", "->", "?." };

	for (size_t i = 0; n >= 2 && i < 3; i++)
		if (!memcmp(s, pairs[i], 2))
			return 2;
	return *s == '\\';
}

/* Bytes that a name may contain, but that its normal form leaves out. */
static bool is_dropped_byte(char c)
{
	return isspace((unsigned char)c) || c == '`' || c == '?';
}

/* Append a name with dots between its parts; type arguments at its end are dropped. */
bool name_put(const struct rules *r, struct normal_form *f, const char *s, size_t n)
{
	size_t from = f->n, i = 0;

	while (i < n) {
		size_t len = name_span(s + i, n - i);
		if (len) {
			if (!normal_form_put(f, s + i, len))
				return false;
			i += len;
			continue;
		}
		len = separator_length(s + i, n - i);
		if (len) {
			if (f->n > from && !normal_form_put(f, ".", 1))
				return false;
			i += len;
			continue;
		}
		bool last = i + 1 == n;
		if (last && word_set_has(&r->name_ends, s + i, 1)) {
			if (!normal_form_put(f, s + i, 1))
				return false;
		} else if (s[i] == '<' && s[n - 1] == '>') {
			break;
		} else if (!is_dropped_byte(s[i])) {
			return false;
		}
		i++;
	}
	return f->n > from && !isdigit((unsigned char)f->p[from]);
}

bool name_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	f->n = 0;
	f->p[0] = '\0';
	return !ts_node_is_null(n) && name_put(t->rules, f, t->text + node_start_byte(n), node_len(n));
}

/* "self" or "super" if that is what the word means in the language, else NULL. */
static const char *self_word(const struct rules *r, const char *word, size_t n)
{
	if (word_set_has(&r->self, word, n))
		return "self";
	if (word_set_has(&r->super, word, n))
		return "super";
	return NULL;
}

/* Replace the first part of `f` if it means the object itself or its base. */
static bool put_self(const struct rules *r, struct normal_form *f)
{
	struct normal_form rest = *f;
	size_t first = strcspn(f->p, ".");
	const char *word = self_word(r, f->p, first);

	if (f->p[0] == '@' && word_set_has(&r->self, "@", 1)) {
		f->n = 0;
		return normal_form_put_text(f, "self.@") &&
		    normal_form_put_text(f, rest.p + strspn(rest.p, "@"));
	}
	if (!word)
		return true;
	f->n = 0;
	return normal_form_put_text(f, word) && normal_form_put(f, rest.p + first, rest.n - first);
}

/* What follows the primary expression, from right to left. */
struct postfix_chain {
	struct { enum { LINK_NAME, LINK_CALL, LINK_INDEX } kind; TSNode name; } v[MAX_LINKS];
	int n;
};

static bool link_add(struct postfix_chain *l, int kind, TSNode name)
{
	if (l->n == MAX_LINKS)
		return false;
	l->v[l->n].kind = kind;
	l->v[l->n++].name = name;
	return true;
}

static TSNode inner_of(const struct expr_rule *x, TSNode n)
{
	if (x->of.n)
		return node_path_get(&x->of, n);
	return nodes_first_named(n);
}

TSNode expression_unwrap(const struct syntax_tree *t, TSNode n)
{
	for (int i = 0; i < MAX_STEPS && !ts_node_is_null(n); i++) {
		const struct expr_rule *x = rules_expr(t, n);
		bool wraps = x && (x->op == EXPR_INNER || (x->op == EXPR_INDEX && x->calls));
		if (!wraps)
			break;
		n = inner_of(x, n);
	}
	return n;
}

/* Write the instance of a type: `T!`. */
static bool put_instance(
    const struct syntax_tree *t, const struct expr_rule *x, TSNode n, struct normal_form *f)
{
	TSNode type = node_path_get(&x->type, n);

	if (ts_node_is_null(type) || !type_normalize(t, type, f))
		return false;
	bool has_arguments = f->n && f->p[f->n - 1] == '>';
	if (x->with.n && f->n && !has_arguments && !type_arguments_put(t, &x->with, n, f, 0))
		return false;
	return normal_form_put(f, "!", 1);
}

/* A step towards the primary expression. */
enum step_result {
	STEP_NO_FORM = -1,	/* the expression has no normal form */
	STEP_CONTINUE,		/* `*n` is the expression that remains */
	STEP_DONE		/* the primary is in `f` */
};

static enum step_result step_name(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	if (name_normalize(t, n, f) && put_self(t->rules, f))
		return STEP_DONE;
	return STEP_NO_FORM;
}

static enum step_result step_link(struct postfix_chain *l, int kind, TSNode name)
{
	if (link_add(l, kind, name))
		return STEP_CONTINUE;
	return STEP_NO_FORM;
}

static enum step_result step_member(const struct syntax_tree *t, const struct expr_rule *x,
    TSNode *n, struct postfix_chain *l, struct normal_form *f)
{
	TSNode name = node_path_get(&x->name, *n);

	*n = node_path_get(&x->object, *n);
	if (ts_node_is_null(*n))
		return step_name(t, name, f);
	return step_link(l, LINK_NAME, name);
}

static enum step_result step(
    const struct syntax_tree *t, TSNode *n, struct postfix_chain *l, struct normal_form *f)
{
	const struct expr_rule *x = rules_expr(t, *n);
	TSNode at = *n, none = { 0 };

	if (!x)
		return STEP_NO_FORM;
	switch (x->op) {
	case EXPR_NAME: return step_name(t, at, f);
	case EXPR_NEW:
		if (put_instance(t, x, at, f))
			return STEP_DONE;
		return STEP_NO_FORM;
	case EXPR_CAST:
		if (put_instance(t, x, at, f))
			return STEP_DONE;
		*n = node_path_get(&x->of, at);
		return STEP_CONTINUE;
	case EXPR_INNER:
	case EXPR_SUM:
		*n = inner_of(x, at);
		return STEP_CONTINUE;
	case EXPR_INDEX:
		*n = node_path_get(&x->of, at);
		if (x->calls && l->n && l->v[l->n - 1].kind == LINK_CALL)
			return STEP_CONTINUE;
		return step_link(l, LINK_INDEX, none);
	case EXPR_CALL:
		if (!link_add(l, LINK_CALL, none))
			return STEP_NO_FORM;
		if (!x->function.n)
			break;
		*n = node_path_get(&x->function, at);
		return STEP_CONTINUE;
	case EXPR_MEMBER: break;
	}
	return step_member(t, x, n, l, f);
}

/* Write Python's super() as super, as in other languages. */
static void fold_super(const struct rules *r, struct postfix_chain *l, struct normal_form *f)
{
	char called[16];

	if (!l->n || l->v[l->n - 1].kind != LINK_CALL || f->n + 2 >= sizeof called)
		return;
	memcpy(called, f->p, f->n);
	memcpy(called + f->n, "()", 3);
	if (!word_set_has(&r->super, called, f->n + 2))
		return;
	f->n = 0;
	normal_form_put_text(f, "super");
	l->n--;
}

static bool put_link(
    const struct syntax_tree *t, const struct postfix_chain *l, int i, struct normal_form *f)
{
	TSNode name = l->v[i].name;

	switch (l->v[i].kind) {
	case LINK_CALL: return normal_form_put(f, "()", 2);
	case LINK_INDEX: return normal_form_put(f, "[]", 2);
	case LINK_NAME: break;
	}
	if (!normal_form_put(f, ".", 1) || ts_node_is_null(name))
		return false;
	return name_put(t->rules, f, t->text + node_start_byte(name), node_len(name));
}

bool expression_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	struct postfix_chain l = { .n = 0 };
	enum step_result result = STEP_CONTINUE;

	for (int i = 0; i < MAX_STEPS && result == STEP_CONTINUE; i++) {
		if (ts_node_is_null(n))
			return false;
		result = step(t, &n, &l, f);
	}
	if (result != STEP_DONE)
		return false;
	fold_super(t->rules, &l, f);
	for (int i = l.n; i-- > 0;)
		if (!put_link(t, &l, i, f))
			return false;
	return true;
}

bool normal_form_append(struct normal_form *f, const char *text)
{
	size_t n = strlen(text);

	if (f->n + n > NORMAL_FORM_MAX)
		return false;
	memcpy(f->p + f->n, text, n + 1);
	f->n += n;
	return true;
}

void normal_form_split(
    const struct normal_form *f, struct normal_form *name, struct normal_form *rest)
{
	size_t end = strcspn(f->p, "<"), dot = end;

	while (dot && f->p[dot - 1] != '.')
		dot--;
	name->n = rest->n = 0;
	rest->p[0] = name->p[0] = '\0';
	normal_form_put(name, f->p + dot, end - dot);
	if (dot)
		normal_form_put(rest, f->p, dot - 1);
}

static bool split_member(const struct syntax_tree *t, const struct expr_rule *x, TSNode n,
    struct normal_form *name, struct normal_form *receiver)
{
	TSNode object = node_path_get(&x->object, n);

	receiver->n = 0;
	receiver->p[0] = '\0';
	if (!name_normalize(t, node_path_get(&x->name, n), name))
		return false;
	if (ts_node_is_null(object))
		return put_self(t->rules, name);
	if (!expression_normalize(t, object, receiver)) {
		receiver->n = 0;
		normal_form_put(receiver, "?", 1);
	}
	return true;
}

bool expression_split(
    const struct syntax_tree *t, TSNode n, struct normal_form *name, struct normal_form *receiver)
{
	const struct expr_rule *x;
	struct normal_form whole;

	n = expression_unwrap(t, n);
	if (ts_node_is_null(n))
		return false;
	x = rules_expr(t, n);
	if (!x)
		return false;
	if (x->op == EXPR_MEMBER || (x->op == EXPR_CALL && !x->function.n))
		return split_member(t, x, n, name, receiver);
	if (x->op != EXPR_NAME)
		return false;
	if (!name_normalize(t, n, &whole) || !put_self(t->rules, &whole))
		return false;
	normal_form_split(&whole, name, receiver);
	return true;
}

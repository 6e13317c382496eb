#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/*
 * Objects that settings fill: `options.Users` is the setting Users below the part of the
 * configuration that is bound to the object's type.  Which part that is, annotations say
 * (@ConfigurationProperties, @ConfigMapping), a constant of the type, or its name.
 */

enum { MAX_MEMBER_PATH = 6, MAX_SECTIONS = 6, LONGEST_TYPE = 160 };

char *quoted_string_after(struct eval *v, const char *s, const char *end, const char *word)
{
	const char *from = memmem(s, (size_t)(end - s), word, strlen(word)), *to = NULL;

	if (from)
		from = memchr(from, '"', (size_t)(end - from));
	if (from)
		to = memchr(from + 1, '"', (size_t)(end - from - 1));
	if (!to)
		return NULL;
	return arena_strn(v->ask->a, from + 1, (size_t)(to - from - 1));
}

/* ---- sections ---- */

const char *config_section_path(struct eval *v, struct expression t)
{
	struct origin o = { 0 };
	TSNode arg[2];
	char name[80];

	if (!ts_node_is_null(t.n))
		o = origin_of(v->ask, t);
	if (o.what != ORIGIN_NODE || v->depth > MAX_SECTIONS)
		return NULL;
	call_callee(o.at.in->t, o.at.n, arguments_of(o.at.in->t, o.at.n), name, sizeof name);
	const struct call_rule *rule = call_rule_of(o.at.in->t->rules, name);
	if (!rule || rule->how != CALL_SECTION || call_arguments(o.at.in->t, o.at.n, arg, 2) != 1)
		return NULL;
	struct expression parent = expression_at(o.at, call_receiver(o.at.in->t, o.at.n));
	v->depth++;
	const char *above = config_section_path(v, parent);
	const char *key = eval_string(v, expression_at(o.at, arg[0]));
	v->depth--;
	if (above)
		return arena_printf(v->ask->a, "%s.%s", above, key);
	return key;
}

/* ---- the way from an object to its member ---- */

struct member_path {
	const char *part[MAX_MEMBER_PATH];	/* the last first */
	size_t n;
	TSNode root;
};

/* Add a name to the path; `getter`: of getName() only Name.  False: it cannot be one. */
static bool put_part(
    struct eval *v, struct member_path *w, const struct syntax_tree *t, TSNode name, bool getter)
{
	if (ts_node_is_null(name) || w->n == MAX_MEMBER_PATH)
		return false;
	size_t n = node_len(name);
	if (!n || n > LONGEST_TYPE)
		return false;
	const char *s = t->text + node_start_byte(name);
	if (getter && n > 3 && !memcmp(s, "get", 3) && isupper((unsigned char)s[3])) {
		s += 3;
		n -= 3;
	}
	w->part[w->n++] = arena_strn(v->ask->a, s, n);
	return true;
}

/* The call getB() in the way from an object to its member: `*n` becomes what it is called on. */
static bool put_call(struct eval *v, const struct syntax_tree *t, const struct expr_rule *x,
    struct member_path *w, TSNode *n)
{
	TSNode arg, f = node_path_get(&x->function, *n);

	if (call_arguments(t, *n, &arg, 1))
		return false;
	if (!ts_node_is_null(f)) {
		x = rules_expr(t, f);
		if (!x || x->op != EXPR_MEMBER)
			return false;
		*n = f;
	}
	if (!put_part(v, w, t, node_path_get(&x->name, *n), true))
		return false;
	*n = node_path_get(&x->object, *n);
	return true;
}

static bool is_self(const struct syntax_tree *t, TSNode n)
{
	return word_set_has(&t->rules->self, t->text + node_start_byte(n), node_len(n));
}

/* One step of the way; false: it ends here, with `w->root` set if it is a name. */
static bool member_path_step(struct eval *v, const struct syntax_tree *t, const struct expr_rule *x,
    struct member_path *w, TSNode *n)
{
	TSNode object;

	switch (x->op) {
	case EXPR_INNER:
		if (x->of.n)
			*n = node_path_get(&x->of, *n);
		else
			*n = ts_node_named_child(*n, 0);
		return true;
	case EXPR_MEMBER:
		object = node_path_get(&x->object, *n);
		if (is_self(t, object)) {
			w->root = node_path_get(&x->name, *n);
			return false;
		}
		if (!put_part(v, w, t, node_path_get(&x->name, *n), false))
			return false;
		*n = object;
		return true;
	case EXPR_CALL: return put_call(v, t, x, w, n);
	case EXPR_NAME: w->root = *n; return false;
	default: return false;
	}
}

/* The path of a.b.c or a.getB().c(), and the name at its root; false: it is something else. */
static bool member_path_of(
    struct eval *v, const struct syntax_tree *t, TSNode n, struct member_path *w)
{
	while (!ts_node_is_null(n)) {
		const struct expr_rule *x = rules_expr(t, n);
		if (!x)
			return false;
		if (!member_path_step(v, t, x, w, &n))
			return !ts_node_is_null(w->root) && w->n > 0;
	}
	return false;
}

/* ---- the type of the object ---- */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* How many type arguments the character opens, read from the right. */
static int opens(char c)
{
	return (c == '>') - (c == '<');
}

static bool in_type(char c, bool in_arguments)
{
	return in_name(c) || strchr("<>?.", c) || (in_arguments && strchr(", ", c));
}

/*
 * The type in `Type name` or `Type<X> name`; `end`: where the name begins.  Its length; 0 if there
 * is none.
 */
static size_t type_before(const char *text, const char *end, const char **type)
{
	const char *s = end;
	int open = 0;

	while (s > text && isspace((unsigned char)s[-1]))
		s--;
	end = s;
	while (s > text && in_type(s[-1], open != 0)) {
		open += opens(s[-1]);
		s--;
	}
	*type = s;
	if (s < end && isupper((unsigned char)*s))
		return (size_t)(end - s);
	return 0;
}

/* The type in `name: Type`; `s`: behind the name.  Its length; 0 if there is none. */
static size_t type_behind(const char *s, const char *end, const char **type)
{
	size_t n = 0;

	s += strspn(s, " ");
	if (*s != ':')
		return 0;
	s += 1 + strspn(s + 1, " ");
	*type = s;
	while (s + n < end && (in_name(s[n]) || strchr("<>.", s[n])))
		n++;
	if (!isupper((unsigned char)*s))
		return 0;
	return n;
}

/* The type that the file declares a name with: `Type name` or `name: Type`; NULL if none. */
static const char *declared(struct eval *v, const struct syntax_tree *t, const char *name, size_t n)
{
	const char *end = t->text + t->n, *type;

	for (const char *at = t->text;; at++) {
		size_t len = 0;
		at = memmem(at, (size_t)(end - at), name, n);
		if (!at)
			return NULL;
		if (at == t->text || at + n >= end || in_name(at[-1]) || in_name(at[n]))
			continue;
		if (isspace((unsigned char)at[-1]) && strchr(",;)={ ", at[n]))
			len = type_before(t->text, at, &type);
		if (!len)
			len = type_behind(at + n, end, &type);
		if (len && len < LONGEST_TYPE)
			return arena_strn(v->ask->a, type, len);
	}
}

/*
 * The value of a name that was requested by its type: provider.GetService<X>(), or
 * section.Get<X>(), of which `*section` is the path; NULL: it is something else.
 */
static const char *requested_type(
    struct eval *v, struct expression t, const char *name, size_t n, const char **section)
{
	const struct syntax_tree *tree = t.in->t;
	const struct binding *b = find_local_binding(tree, name, n, node_start_byte(t.n), NULL);

	*section = NULL;
	if (!b)
		return NULL;
	const char *s = arena_strn(
	    v->ask->a, tree->text + node_start_byte(b->value), node_len(b->value));
	if (strstr(s, ".Get<"))
		*section = config_section_path(v, expression_at(t, call_receiver(tree, b->value)));
	else if (!strstr(s, "Service<"))
		return NULL;
	return s;
}

/* The argument of the innermost generic type, IOptions<X>; the text itself when it has none. */
static const char *innermost(struct eval *v, const char *type)
{
	const char *open = strrchr(type, '<');

	if (open)
		return arena_strn(v->ask->a, open + 1, strcspn(open + 1, ">?,"));
	return arena_strn(v->ask->a, type, strcspn(type, "?"));
}

/* The definition of a type in a file, by its name; or NULL. */
static const struct definition *type_in_file(const struct contract_file *in, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (kind_is_type(kind_of(d->kind)) && !strcmp(d->name, name))
			return d;
	}
	return NULL;
}

/* The definition of a type, in this file or another; NULL if the repository has none. */
static const struct definition *type_defined(
    struct eval *v, struct contract_file **in, TSNode at, const char *name)
{
	const struct definition *d = type_in_file(*in, name);
	const struct sym *sym;
	struct source_file *f;

	if (d)
		return d;
	v->ask->unknown = true;
	if (!v->ask->join || !(*in)->file ||
	    other_files_resolve_name(v->ask->join, *in, at, name, &sym, &f) != 1)
		return NULL;
	*in = other_files_read(v->ask->join, f);
	if (*in && sym->index >= 0 && (size_t)sym->index < (*in)->found->n)
		return &(*in)->found->v[sym->index].def;
	return NULL;
}

/* ---- the part of the configuration that a type is bound to ---- */

struct sections {
	const char *v[MAX_SECTIONS];
	size_t n;
};

static void add_section(struct sections *s, const char *name)
{
	if (name)
		s->v[s->n++] = name;
}

/*
 * The sections that annotations or a constant name, else the name of the type, with and without
 * its last word.
 */
static void sections_of(struct eval *v, const struct contract_file *in, const struct definition *d,
    struct sections *out)
{
	static const char *const annotations[] = { "@ConfigurationProperties(", "@ConfigMapping(" };
	static const char *const ends[] = { "Options", "Settings", "Configuration", "Config" };
	const char *s = in->t->text + d->start_byte, *end = in->t->text + d->end_byte,
	           *head = memchr(s, '{', (size_t)(end - s));

	if (!head)
		head = end;
	for (size_t i = 0; i < LEN(annotations); i++)
		add_section(out, quoted_string_after(v, s, head, annotations[i]));
	if (out->n || !in->t->rules->sections)
		return;
	add_section(out, quoted_string_after(v, s, end, "const string "));
	add_section(out, d->name);
	for (size_t i = 0; i < LEN(ends); i++) {
		size_t n = strlen(d->name), len = strlen(ends[i]);
		if (n > len && !strcmp(d->name + n - len, ends[i])) {
			add_section(out, arena_strn(v->ask->a, d->name, n - len));
			add_section(out, arena_printf(v->ask->a, "%.*ss", (int)(n - len), d->name));
			break;
		}
	}
	add_section(out, "");
}

/* The path of the section in `section.Value`; NULL: it is something else. */
static const char *value_section(struct eval *v, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);

	if (!x || x->op != EXPR_MEMBER || !node_is(t.in->t, node_path_get(&x->name, t.n), "Value"))
		return NULL;
	return config_section_path(v, expression_at(t, node_path_get(&x->object, t.n)));
}

/* The path as a key with dots, without the Value of IOptions<X>. */
static const char *member_key(struct eval *v, const struct member_path *w)
{
	const char *key = "";

	for (size_t i = 0; i < w->n; i++) {
		const char *part = w->part[i];
		if (!strcmp(part, "Value") || !strcmp(part, "CurrentValue"))
			continue;
		if (*key)
			key = arena_printf(v->ask->a, "%s.%s", part, key);
		else
			key = part;
	}
	return key;
}

bool eval_option(struct eval *v, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	struct sections s = { 0 };
	struct member_path w = { 0 };
	struct contract_file *in = t.in;
	const char *section = value_section(v, t);

	if (section)
		return eval_setting(v, t.in, section, NULL);
	if (!member_path_of(v, tree, t.n, &w))
		return false;
	const char *name = tree->text + node_start_byte(w.root),
	           *type = declared(v, tree, name, node_len(w.root));
	if (!type)
		type = requested_type(v, t, name, node_len(w.root), &section);
	if (!type)
		return false;
	const char *key = member_key(v, &w);
	if (section)
		return eval_setting(v, t.in, arena_printf(v->ask->a, "%s.%s", section, key), NULL);
	const struct definition *d = type_defined(v, &in, w.root, innermost(v, type));
	if (!d)
		return false;
	sections_of(v, in, d, &s);
	for (size_t i = 0; i < s.n; i++)
		if (eval_setting(v, t.in, arena_printf(v->ask->a, "%s.%s", s.v[i], key), NULL))
			return true;
	return false;
}

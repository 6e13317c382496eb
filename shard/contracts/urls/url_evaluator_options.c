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

/* ---- sections ---- */

const char *config_section_path(struct eval *v, struct expression t)
{
	struct origin o = ts_node_is_null(t.n) ? (struct origin){ 0 } : origin_of(v->ask, t);
	TSNode arg[2];
	char name[80];

	if (o.what != ORIGIN_NODE || v->depth > MAX_SECTIONS)
		return NULL;
	call_callee(o.at.in->t, o.at.n, arguments_of(o.at.in->t, o.at.n), name, sizeof name);
	const struct call_rule *rule = call_rule_of(o.at.in->t->rules, name);
	if (!rule || rule->how != CALL_SECTION || call_arguments(o.at.in->t, o.at.n, arg, 2) != 1)
		return NULL;
	v->depth++;
	const char *above = config_section_path(
	               v, expression_at(o.at, call_receiver(o.at.in->t, o.at.n))),
	           *key = eval_string(v, expression_at(o.at, arg[0]));
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

static bool put_part(
    struct eval *v, struct member_path *w, const struct syntax_tree *t, TSNode name, bool getter)
{
	size_t n = ts_node_is_null(name) ? 0 : node_len(name);
	const char *s = "";

	if (n)
		s = t->text + node_start_byte(name);
	if (!n || n > LONGEST_TYPE || w->n == MAX_MEMBER_PATH)
		return false;
	if (getter && n > 3 && !memcmp(s, "get", 3) && isupper((unsigned char)s[3])) {
		s += 3;
		n -= 3;
	}
	w->part[w->n++] = arena_strn(v->ask->a, s, n);
	return true;
}

/* a.b.c, a.getB().c(): what is read of which name; false: it is something else. */
static bool member_path_of(
    struct eval *v, const struct syntax_tree *t, TSNode n, struct member_path *w)
{
	TSNode arg;

	for (const struct expr_rule *x; !ts_node_is_null(n) && (x = rules_expr(t, n));) {
		TSNode f = x->op == EXPR_CALL && x->function.n ? node_path_get(&x->function, n) :
		                                                 (TSNode){ 0 };
		if (x->op == EXPR_CALL && call_arguments(t, n, &arg, 1))
			return false;
		if (x->op == EXPR_INNER) {
			if (x->of.n)
				n = node_path_get(&x->of, n);
			else
				n = ts_node_named_child(n, 0);
		} else if (x->op == EXPR_CALL && !ts_node_is_null(f)) {
			x = rules_expr(t, f);
			if (!x || x->op != EXPR_MEMBER || !put_part(v, w, t, node_path_get(&x->name, f), true))
				return false;
			n = node_path_get(&x->object, f);
		} else if (x->op == EXPR_MEMBER &&
		    word_set_has(&t->rules->self, t->text + node_start_byte(node_path_get(&x->object, n)),
		        node_len(node_path_get(&x->object, n)))) {
			w->root = node_path_get(&x->name, n);
			return w->n > 0;
		} else if (x->op == EXPR_MEMBER || (x->op == EXPR_CALL && x->object.n)) {
			if (!put_part(v, w, t, node_path_get(&x->name, n), x->op == EXPR_CALL))
				return false;
			n = node_path_get(&x->object, n);
		} else {
			w->root = n;
			return x->op == EXPR_NAME && w->n > 0;
		}
	}
	return false;
}

/* ---- the type of the object ---- */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The type before a name, `Type name` or `Type<X> name`, that ends there; 0: there is none. */
static size_t type_before(const char *text, const char *end, const char **type)
{
	const char *s = end;
	int open = 0;

	while (s > text && isspace((unsigned char)s[-1]))
		s--;
	end = s;
	while (s > text && (in_name(s[-1]) || strchr("<>?.", s[-1]) || (open && strchr(", ", s[-1])))) {
		open += s[-1] == '>' ? 1 : s[-1] == '<' ? -1 : 0;
		s--;
	}
	*type = s;
	if (s < end && isupper((unsigned char)*s))
		return (size_t)(end - s);
	return 0;
}

/* The type that the file declares a name with: `Type name`, `name: Type`; NULL: none. */
static const char *declared(struct eval *v, const struct syntax_tree *t, const char *name, size_t n)
{
	for (const char *at = t->text, *end = t->text + t->n, *type;
	     (at = memmem(at, (size_t)(end - at), name, n)); at++) {
		if (at == t->text || at + n >= end || in_name(at[-1]) || in_name(at[n]))
			continue;
		const char *behind = at + n + strspn(at + n, " ");
		size_t len = 0;
		if (isspace((unsigned char)at[-1]) && strchr(",;)={ ", at[n]))
			len = type_before(t->text, at, &type);
		if (!len && *behind == ':') {
			type = behind + 1 + strspn(behind + 1, " ");
			for (len = 0; type + len < end && (in_name(type[len]) || strchr("<>.", type[len]));
			     len++)
				;
			if (!isupper((unsigned char)*type))
				len = 0;
		}
		if (len && len < LONGEST_TYPE)
			return arena_strn(v->ask->a, type, len);
	}
	return NULL;
}

/*
 * What a name is given that is asked for by its type: provider.GetService<X>(), section.Get<X>(),
 * whose way is then known.
 */
static const char *requested_type(
    struct eval *v, struct expression t, const char *name, size_t n, const char **way)
{
	const struct binding *b = find_local_binding(t.in->t, name, n, node_start_byte(t.n), NULL);
	const char *s = b ?
	    arena_strn(v->ask->a, t.in->t->text + node_start_byte(b->value), node_len(b->value)) :
	    "";
	bool get = strstr(s, ".Get<") != NULL;

	if (!get && !strstr(s, "Service<"))
		return NULL;
	if (get)
		*way = config_section_path(v, (struct expression){ t.in, call_receiver(t.in->t, b->value), t.given });
	else
		*way = NULL;
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

/* The definition of a type, in this file or another; NULL: the repository has none. */
static const struct definition *type_defined(
    struct eval *v, struct contract_file **in, TSNode at, const char *name)
{
	const struct sym *sym;
	struct source_file *f;

	for (size_t i = 0; i < (*in)->found->n; i++)
		if (kind_is_type(kind_of((*in)->found->v[i].def.kind)) &&
		    !strcmp((*in)->found->v[i].def.name, name))
			return &(*in)->found->v[i].def;
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

/* The first string behind a word in the definition, without quotes; NULL: there is none. */
static const char *string_after(struct eval *v, const char *s, const char *end, const char *word)
{
	const char *at = memmem(s, (size_t)(end - s), word, strlen(word));
	const char *from = at ? memchr(at, '"', (size_t)(end - at)) : NULL,
	           *to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;

	if (to)
		return arena_strn(v->ask->a, from + 1, (size_t)(to - from - 1));
	return NULL;
}

/*
 * What annotations or a constant say, else what the type is called, with and without its last
 * word.
 */
static void sections_of(struct eval *v, const struct contract_file *in, const struct definition *d,
    struct sections *out)
{
	static const char *const annotations[] = { "@ConfigurationProperties(", "@ConfigMapping(" };
	static const char *const ends[] = { "Options", "Settings", "Configuration", "Config" };
	const char *s = in->t->text + d->start_byte, *end = in->t->text + d->end_byte,
	           *head = memchr(s, '{', (size_t)(end - s)), *said;

	for (size_t i = 0; i < LEN(annotations); i++)
		if ((said = string_after(v, s, head ? head : end, annotations[i])))
			out->v[out->n++] = said;
	if (out->n || !(in->t->rules->sections))
		return;
	if ((said = string_after(v, s, end, "const string ")))
		out->v[out->n++] = said;
	out->v[out->n++] = d->name;
	for (size_t i = 0; i < LEN(ends); i++) {
		size_t n = strlen(d->name), len = strlen(ends[i]);
		if (n > len && !strcmp(d->name + n - len, ends[i])) {
			out->v[out->n++] = arena_strn(v->ask->a, d->name, n - len);
			out->v[out->n++] = arena_printf(v->ask->a, "%.*ss", (int)(n - len), d->name);
			break;
		}
	}
	out->v[out->n++] = "";
}

bool eval_option(struct eval *v, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	struct sections s = { 0 };
	struct member_path w = { 0 };
	struct contract_file *in = t.in;
	const char *key = "";

	const struct expr_rule *x = rules_expr(tree, t.n);
	bool value = x && x->op == EXPR_MEMBER && node_is(tree, node_path_get(&x->name, t.n), "Value");
	const char *section = NULL;
	if (value)
		section = config_section_path(v, expression_at(t, node_path_get(&x->object, t.n)));
	if (section)
		return eval_setting(v, t.in, section, NULL);
	if (!member_path_of(v, tree, t.n, &w))
		return false;
	const char *name = tree->text + node_start_byte(w.root),
	           *type = declared(v, tree, name, node_len(w.root));
	const char *way = NULL;
	if (!type && !(type = requested_type(v, t, name, node_len(w.root), &way)))
		return false;
	for (size_t i = 0; i < w.n; i++)
		if (strcmp(w.part[i], "Value") && strcmp(w.part[i], "CurrentValue"))	/* of IOptions<X> */
			key = arena_printf(v->ask->a, "%s%s%s", w.part[i], *key ? "." : "", key);
	if (way)
		return eval_setting(v, t.in, arena_printf(v->ask->a, "%s.%s", way, key), NULL);
	const struct definition *d = type_defined(v, &in, w.root, innermost(v, type));
	if (!d)
		return false;
	sections_of(v, in, d, &s);
	for (size_t i = 0; i < s.n; i++)
		if (eval_setting(v, t.in, arena_printf(v->ask->a, "%s.%s", s.v[i], key), NULL))
			return true;
	return false;
}

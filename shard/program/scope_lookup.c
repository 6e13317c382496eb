#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/file_symbols.h"
#include "shard/facts/qualified_name.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"
#include "shard/program/scope_lookup_internal.h"

/* ---- locals ---- */

/* Whether a local comes before the locals of that name, in order of (definition, name). */
static bool precedes(const struct local *x, int definition, const char *name)
{
	if (x->definition != definition)
		return x->definition < definition;
	return strcmp(x->name, name) < 0;
}

/* scope_find_local in the file that is resolved. */
static const struct local *own_local(
    const struct name_resolver *l, int definition, const char *name, uint32_t line)
{
	size_t lo = 0, hi = l->facts->locals.n;
	const struct local *found = NULL;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (precedes(l->locals[mid], definition, name))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < l->facts->locals.n; lo++) {
		const struct local *x = l->locals[lo];
		if (x->definition != definition || strcmp(x->name, name))
			break;
		if (found && line && x->line > line)
			break;
		found = x;
	}
	return found;
}

const struct local *scope_find_local(
    struct name_resolver *l, struct source_file *f, int definition, const char *name, uint32_t line)
{
	const struct local *found = NULL;

	if (f == l->file)
		return own_local(l, definition, name, line);
	const struct file_symbols *u = resolver_file_scope(l, f);
	for (size_t i = file_symbols_first_local(u, definition); i < u->nlocals; i++) {
		const struct local *x = &u->locals[i];
		if (x->definition != definition)
			break;
		bool later = found && line && x->line > line;
		if (!later && !strcmp(x->name, name))
			found = x;
	}
	return found;
}

/* The value of a local without a declared type. */
static struct resolved_value infer_local(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	struct resolved_value v = { 0 };
	uint32_t line = x->line;

	if (line)	/* the value is evaluated before the assignment: x = x.next() uses the earlier x */
		line--;
	if (x->value && !resolver_too_deep(l, MAX_EXPORT_DEPTH)) {
		l->depth++;
		v = infer_expression(l, f, x->definition, line, x->value);
		l->depth--;
	}
	if (v.what == RESOLVED_SYMBOLS && v.n && kind_is_callable(v.v[0]->kind))
		return resolved_limit_confidence(v, CONFIDENCE_LOCAL, "local");
	return resolved_limit_confidence(v, CONFIDENCE_TYPE, "type");
}

struct resolved_value scope_local_value(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	struct memo m = { .of = f, .also = x, .what = MEMO_LOCAL };

	if (x->type)
		return resolved_type_text(f, x->definition, x->type);
	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, infer_local(l, f, x));
}

/* ---- definitions ---- */

/* How much a definition contributes to a name that has several. */
static int weight(const struct sym *s)
{
	if (kind_holds_value(s->kind))
		return 0;
	if (s->kind == KIND_type)
		return 1;
	if (s->kind == KIND_module)
		return 2;
	return 3;
}

const char *name_with_prefix(struct arena *a, const char *before, const char *name)
{
	if (before && *before)
		return arena_join_dotted(a, before, name);
	return name;
}

/* Whether both are overloads of one name. */
static bool are_overloads(const struct name_resolver *l, const struct sym *a, const struct sym *b)
{
	const struct dialect *d = sym_file(l, a)->dialect;
	bool same_arguments = a->least == b->least && a->most == b->most;

	if (!d || !d->overloads)
		return false;
	if (same_arguments && kind_is_type(a->owner) != kind_is_type(b->owner))
		return false;	/* declared in its type and defined outside: C++ */
	return kind_is_callable(a->kind) && kind_is_callable(b->kind);
}

bool syms_are_one_type(const struct name_resolver *l, const struct sym *a, const struct sym *b)
{
	const struct source_file *f = sym_file(l, a), *g = sym_file(l, b);

	if (!kind_is_type(a->kind) || !kind_is_type(b->kind))
		return false;
	if (!f->dialect || f->dialect != g->dialect)
		return false;
	if (!f->dialect->open_types || f->dialect->scheme != SCHEME_NAME)
		return false;
	return !strcmp(f->dir, g->dir) && !strcmp(a->qualified, b->qualified);
}

static bool has_value_or_type(const struct sym *s)
{
	return s->type || s->value;
}

/* Whether `s` replaces `old`, an earlier definition of the same name in its file. */
static bool replaces(const struct sym *s, const struct sym *old)
{
	if (weight(s) != weight(old))
		return weight(s) > weight(old);
	return has_value_or_type(s) || !has_value_or_type(old);
}

void resolved_add(struct name_resolver *l, struct resolved_value *v, const struct sym *s)
{
	const struct sym **last = NULL;

	v->what = RESOLVED_SYMBOLS;
	for (size_t i = 0; i < v->n; i++)
		if (syms_are_one_type(l, v->v[i], s))
			return;
	if (v->n)
		last = &v->v[v->n - 1];
	if (last && (*last)->file == s->file && !are_overloads(l, *last, s)) {
		if (replaces(s, *last))
			*last = s;
	} else if (v->n < MAX_CANDIDATES) {
		v->v[v->n++] = s;
	}
}

void resolved_add_definitions(
    struct name_resolver *l, struct resolved_value *v, struct source_file *f, const char *qualified)
{
	size_t n;
	const uint32_t *which = resolver_find_definitions(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		resolved_add(l, v, &program_file_symbols(l->w, f)->v[which[i]]);
}

struct resolved_value scope_find_definitions(struct name_resolver *l, struct source_file *f,
    const char *qualified, int confidence, const char *reason)
{
	struct resolved_value v = { .confidence = confidence, .reason = reason };

	resolved_add_definitions(l, &v, f, qualified);
	return v;
}

/* The qualified name before a definition's own, that of its parent or of its type; or NULL. */
static const char *owner_name(struct name_resolver *l, const struct sym *s)
{
	const char *dot = strrchr(s->qualified, '.');

	if (dot)
		return arena_strn(l->a, s->qualified, (size_t)(dot - s->qualified));
	return NULL;
}

/* Definitions of a qualified name in other files, where it needs no import. */
static size_t find_unimported(struct name_resolver *l, const struct source_file *f,
    const char *qualified, const struct sym **out)
{
	if (f->dialect->share == SHARE_DIRECTORY)
		return resolver_find_in_dir(l, f->dir, qualified, out, MAX_CANDIDATES);
	if (f->dialect->scheme != SCHEME_NAME)
		return 0;
	if (f->package && f->dialect->share != SHARE_PROGRAM)
		qualified = arena_join_dotted(l->a, f->package, qualified);
	return resolver_find_full_name(l, qualified, out, MAX_CANDIDATES);
}

/* A type by its qualified name: in the file, where it needs no import, or where it is imported. */
static const struct sym *owner_type(
    struct name_resolver *l, struct source_file *f, const char *qualified)
{
	const struct sym *out[MAX_CANDIDATES];
	const struct file_symbols *u = program_file_symbols(l->w, f);
	size_t n;
	const uint32_t *which = resolver_find_definitions(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		if (kind_is_type(u->v[which[i]].kind))
			return &u->v[which[i]];
	n = find_unimported(l, f, qualified, out);
	for (size_t i = 0; i < n && i < MAX_CANDIDATES; i++)
		if (kind_is_type(out[i]->kind))
			return out[i];
	if (!f->dialect->open_types)
		return NULL;
	struct resolved_value v = scope_find_imported(l, f, -1, qualified);
	for (size_t i = 0; v.what == RESOLVED_SYMBOLS && i < v.n; i++)
		if (kind_is_type(v.v[i]->kind))
			return v.v[i];
	return NULL;
}

/* `this` in an extension. */
static struct resolved_value extended(
    struct name_resolver *l, struct source_file *f, int definition, const char *receiver)
{
	struct resolved_value v = infer_named_type(l, f, definition, receiver);

	if (v.what == RESOLVED_SYMBOLS)
		v.what = RESOLVED_INSTANCE;
	if (v.what == RESOLVED_INSTANCE)
		return resolved_limit_confidence(v, CONFIDENCE_TYPE, "type");
	return v;
}

/* The receiver of an extension whose `self` is that object, as written; else NULL. */
static const char *implicit_receiver(
    struct name_resolver *l, const struct source_file *f, const struct sym *s)
{
	if (!s->has_receiver || !f->dialect->implicit_receiver)
		return NULL;
	return extensions_receiver(l, s);
}

struct resolved_value scope_find_self(
    struct name_resolver *l, struct source_file *f, int definition)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	const char *outer = NULL;

	for (int d = definition; d >= 0; d = u->v[d].parent) {
		const struct sym *s = &u->v[d];
		if (kind_is_type(s->kind))
			return resolved_self(s);
		const char *receiver = implicit_receiver(l, f, s);
		if (receiver)
			return extended(l, f, d, receiver);
		const char *owner = NULL;
		const struct sym *t = NULL;
		if (kind_is_callable(s->kind))
			owner = owner_name(l, s);
		if (!owner)
			continue;
		if (s->parent < 0 || !kind_is_type(u->v[s->parent].kind))
			t = owner_type(l, f, owner);
		if (t)
			return resolved_self(t);
		if (!outer && (s->parent < 0 || s->kind == KIND_method))
			outer = owner;
	}
	if (!outer)
		return resolved_symbol(NULL, CONFIDENCE_SELF, "self");
	/* a function that is named after the object that holds it: Foo.prototype.bar, res.send */
	return resolved_symbol(resolver_find_definition(l, f, outer), CONFIDENCE_SELF, "self");
}

/* ---- all together ---- */

/* The value of a local, which hides other definitions of its name even if it is unknown. */
static struct resolved_value hides(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	struct resolved_value v = scope_local_value(l, f, x);

	if (!v.what)
		return resolved_external();
	return v;
}

/* A member of the type around, which needs no `self`. */
static struct resolved_value member_around(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = inherit_member(l, type, name);

	if (v.what == RESOLVED_EXTERNAL)
		return resolved_unknown();
	if (v.what != RESOLVED_SYMBOLS)
		return v;
	if (v.confidence > CONFIDENCE_INHERITED) {
		v.confidence = CONFIDENCE_SELF;
		v.reason = "self";
	}
	v.generics = generics_instance_of(l, &v, type);
	return v;
}

/* A name in a definition, except its locals: a definition inside, a member of the type. */
static struct resolved_value inside(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	const struct sym *s = &program_file_symbols(l->w, f)->v[d];
	char qualified[QUALIFIED_ROOM];
	struct resolved_value v;

	if (kind_is_type(s->kind))
		return member_around(l, s, name);
	if (f != l->file || file_symbols_may_have(program_file_symbols(l->w, f), name)) {
		qualified_join_to(qualified, s->qualified, name);
		v = scope_find_definitions(l, f, qualified, CONFIDENCE_FILE, "file");
		if (v.what)
			return v;
	}
	return scope_find_imported(l, f, d, name);
}

/*
 * In how many definitions around a use its name is looked for: so many are not nested in code that
 * people write, and every use costs a lookup in each.
 */
enum { SCOPES_MAX = 32 };

static struct resolved_value find_outer(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	struct resolved_value v = { 0 };

	for (int i = 0; i < SCOPES_MAX && d >= 0 && !v.what; i++, d = u->v[d].parent) {
		const struct local *x = scope_find_local(l, f, d, name, 0);
		if (x)
			v = hides(l, f, x);
		else if (f->dialect->implicit_self || !kind_is_type(u->v[d].kind))
			v = inside(l, f, d, name);
	}
	return v;
}

/* A name in the definition `d` and in the definitions around it. */
static struct resolved_value outer(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_OUTER, .number = d, .text = name };

	if (d < 0)
		return resolved_unknown();
	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_outer(l, f, d, m.text));
}

/* Whether an extension extends the type of that name, which is looked for to find its members. */
static bool extends_named(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	const char *receiver = implicit_receiver(l, f, &program_file_symbols(l->w, f)->v[definition]);
	size_t n = strlen(name);

	return receiver && !strncmp(receiver, name, n) && (!receiver[n] || receiver[n] == '<');
}

/* A member of the type of a method that is defined outside of its type. */
static struct resolved_value find_receiver_member(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	if (extends_named(l, f, definition, name))
		return resolved_unknown();
	struct resolved_value v = scope_find_self(l, f, definition);

	if (v.what != RESOLVED_INSTANCE || !v.n)
		return resolved_unknown();
	const struct generic_instance *g = generics_instance_of(l, &v, v.v[0]);
	v = inherit_member(l, v.v[0], name);
	if (v.what == RESOLVED_EXTERNAL)
		return resolved_unknown();
	v.generics = g;
	return resolved_limit_confidence(v, CONFIDENCE_SELF, "self");
}

static struct resolved_value find_top(
    struct name_resolver *l, struct source_file *f, uint32_t line, const char *name)
{
	struct resolved_value v = scope_find_definitions(l, f, name, CONFIDENCE_FILE, "file");

	if (!v.what)
		v = scope_find_imported(l, f, -1, name);
	if (v.what)
		return v;
	const struct local *x = scope_find_local(l, f, -1, name, line);
	if (x)
		return hides(l, f, x);
	return v;
}

/* A name at the top of the file, as seen from inside its definitions. */
static struct resolved_value top(struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_TOP, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_top(l, f, 0, m.text));
}

static struct resolved_value find_visible(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	const struct dialect *d = f->dialect;
	bool outside_members = d->implicit_self && (d->open_types || d->implicit_receiver);
	struct resolved_value v;

	if (definition < 0) {
		v = find_top(l, f, line, name);
	} else {
		v = inside(l, f, definition, name);
		if (!v.what)
			v = outer(l, f, program_file_symbols(l->w, f)->v[definition].parent, name);
		if (!v.what && outside_members)
			v = find_receiver_member(l, f, definition, name);
		if (!v.what)
			v = top(l, f, name);
	}
	if (!v.what)
		v = scope_find_shared(l, f, definition, name);
	if (v.what)
		return v;
	return scope_find_star_imported(l, f, name);
}

/* Whether the value of a local begins with the local's own name, which then means another one. */
static bool is_own_value(const struct local *x)
{
	size_t n = strlen(x->name);

	return x->value && !strncmp(x->value, x->name, n) && strchr(".([", x->value[n]);
}

/*
 * scope_find_local; in the line of `x = x.next()`, and for its value, the x before it, or NULL: x is
 * not a local there.
 */
static const struct local *find_visible_local(
    struct name_resolver *l, struct source_file *f, int definition, const char *name, uint32_t line)
{
	const struct local *x = scope_find_local(l, f, definition, name, line);

	if (!x || !line || x->line < line || !is_own_value(x))
		return x;
	if (x->line == line && line > 1)
		x = scope_find_local(l, f, definition, name, line - 1);
	if (x->line >= line && is_own_value(x))
		return NULL;
	return x;
}

struct resolved_value scope_find_name(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_SCOPE, .number = definition, .text = name };

	if (definition >= 0 || f == l->file)
		m.also = find_visible_local(l, f, definition, name, line);
	else
		m.number -= (int)line;	/* the line determines which local at the top it is */
	if (definition >= 0 && m.also)
		return hides(l, f, m.also);
	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_visible(l, f, definition, line, m.text));
}

#include "shard/contracts/grpc/grpc_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"

enum { MOST_STEPS = 400 };

/* ---- what is a stub ---- */

static bool grpc_local_stub(
    struct grpc *, struct source_file *, const struct local *, int depth, struct service_ref *);

/* The file with the generated code that a name is from, when the repository has it. */
static struct source_file *grpc_generated_by(
    struct grpc *g, struct source_file *f, int definition, const char *name, const char *service)
{
	g->l->steps = MOST_STEPS;
	struct resolved_value v = infer_expression(g->l, f, definition, 0, name);

	for (size_t i = 0; v.what == RESOLVED_SYMBOLS && i < v.n; i++)
		if (grpc_generated_file(g, sym_file(g->l, v.v[i]), service))
			return sym_file(g->l, v.v[i]);
	return NULL;
}

/* Whether a name means something that this repository itself defines, and no generator. */
static bool grpc_stub_handwritten(
    struct grpc *g, struct source_file *f, int definition, const char *name)
{
	g->l->steps = MOST_STEPS;
	struct resolved_value v = infer_expression(g->l, f, definition, 0, name);

	if (v.what != RESOLVED_SYMBOLS || !v.n)
		v = infer_named_type(g->l, f, definition, name);
	return v.what == RESOLVED_SYMBOLS && v.n &&
	    (kind_is_type(v.v[0]->kind) || kind_is_callable(v.v[0]->kind));
}

/* Whether a name is gRPC's: by its import, or because the repository has such a service. */
static bool grpc_stub_confirmed(struct grpc *g, struct source_file *f, int definition,
    const char *name, const char *pattern, const struct service_ref *n)
{
	const struct word_list *from = &f->dialect->stub_from;
	bool any = !strcmp(pattern, "*");
	const struct sym *one;

	if (n->generated)
		return true;
	if (grpc_contains_word(&f->dialect->stub_not, n->hint))
		return false;
	if (!from->n && !any)
		return resolver_find_services(g->l, n->name, &one, 1) ||
		    !grpc_stub_handwritten(g, f, definition, name);
	/* first what costs least: any type may come here */
	if (!from->n && !resolver_find_services(g->l, n->name, &one, 1))
		return false;
	if (grpc_stub_handwritten(g, f, definition, name))
		return false;
	if (!any && (grpc_contains_word(from, n->hint) || grpc_contains_word(from, name)))
		return true;
	return grpc_contains_word(&f->dialect->stub_loader, n->hint) ||
	    resolver_find_services(g->l, n->name, &one, 1) > 0;
}

bool grpc_stub_by_name(struct grpc *g, struct source_file *f, int definition, const char *text,
    size_t n, const struct word_list *patterns, struct service_ref *out)
{
	if (!patterns->n)
		return false;
	const char *name = arena_strn(g->l->a, text, n), *full = grpc_unfold(g, f, name);
	for (size_t i = 0; i < patterns->n; i++) {
		*out = (struct service_ref){ .name = grpc_match_pattern(patterns->v[i], full, g->l->a),
			.hint = full };
		if (!out->name)
			continue;
		out->generated = grpc_generated_by(g, f, definition, name, out->name);
		if (grpc_stub_confirmed(g, f, definition, name, patterns->v[i], out))
			return true;
	}
	return false;
}

static bool grpc_typed_stub(struct grpc *g, struct source_file *f, int definition, const char *type,
    struct service_ref *out)
{
	if (*type == '/') {	/* grpc_sites.h */
		*out = (struct service_ref){ .name = type + 1, .hint = type };
		return true;
	}
	size_t n = strcspn(type, "<");
	const char *inner = NULL;

	if (type[n])
		inner = type + n + 1;
	if (inner && word_list_has(&f->dialect->through, type, n))
		return grpc_typed_stub(
		    g, f, definition, arena_strn(g->l->a, inner, strlen(inner) - 1), out);
	return grpc_stub_by_name(g, f, definition, type, n, &f->dialect->stub, out);
}

/* The local that a name means at a place, of the definition or of those around it; or NULL. */
static const struct local *grpc_local(
    struct grpc *g, struct source_file *f, int definition, uint32_t line, const char *name)
{
	const struct file_symbols *u = program_file_symbols(g->l->w, f);

	for (int d = definition;; d = u->v[d].parent) {
		const struct local *found = scope_find_local(g->l, f, d, name, line);
		if (found || d < 0)
			return found;
	}
}

/* A field, variable or function: by its declared type, else by its value or result. */
static bool stub_in_variable(
    struct grpc *g, const struct sym *s, int depth, struct service_ref *out)
{
	struct source_file *f = sym_file(g->l, s);

	if (!f->dialect)
		return false;
	resolver_file_scope(g->l, f);
	int inside = s->parent;
	if (kind_is_callable(s->kind))
		inside = s->index;
	if ((s->type && grpc_typed_stub(g, f, inside, s->type, out)) ||
	    (s->value && grpc_stub(g, f, inside, 0, s->value, depth + 1, out)))
		return true;
	const struct local *x = NULL;
	if (s->parent < 0)
		x = grpc_local(g, f, -1, 0, s->name);
	return x && grpc_local_stub(g, f, x, depth, out);
}

static bool grpc_local_stub(struct grpc *g, struct source_file *f, const struct local *x, int depth,
    struct service_ref *out)
{
	uint32_t before = 0;
	bool found = x->type && grpc_typed_stub(g, f, x->definition, x->type, out);

	if (x->line)
		before = x->line - 1;
	if (!found && x->value)
		found = grpc_stub(g, f, x->definition, before, x->value, depth + 1, out);
	if (found && f == g->l->file)
		g->by = x;
	return found;
}

/* What the methods of a type assign to its field: self.stub = XStub(channel). */
static bool assigned_stub(
    struct grpc *g, const struct sym *type, const char *name, int depth, struct service_ref *out)
{
	struct source_file *f = sym_file(g->l, type);
	const struct file_symbols *u = resolver_file_scope(g->l, f);
	bool here = f == g->l->file;
	size_t n = u->nassigned;

	if (here)
		n = g->l->nassigned;
	for (size_t i = 0; i < n; i++) {
		const struct local *x;
		if (here)
			x = g->l->assigned[i];
		else
			x = &u->locals[u->assigned[i]];
		int d = x->definition;
		if (strcmp(local_field(x), name))
			continue;
		while (d >= 0 && d != type->index)
			d = u->v[d].parent;
		if (d >= 0 && grpc_local_stub(g, f, x, depth, out))
			return true;
	}
	return false;
}

static bool any_stub_variable(
    struct grpc *g, const struct resolved_value *v, int depth, struct service_ref *out)
{
	for (size_t i = 0; v->what == RESOLVED_SYMBOLS && i < v->n; i++)
		if ((kind_holds_value(v->v[i]->kind) || kind_is_callable(v->v[i]->kind)) &&
		    stub_in_variable(g, v->v[i], depth, out))
			return true;
	return false;
}

/* `object.name`: a member of the object's type. */
static bool member_stub(struct grpc *g, struct source_file *f, int definition, uint32_t line,
    const char *object, const char *name, int depth, struct service_ref *out)
{
	g->l->steps = MOST_STEPS;
	struct resolved_value of = infer_instance(
	    g->l, infer_expression(g->l, f, definition, line, object));
	struct resolved_value v = infer_member(g->l, of, name);

	if (any_stub_variable(g, &v, depth, out))
		return true;
	if (of.what == RESOLVED_TYPE_TEXT)
		of = infer_named_type(g->l, of.file, of.definition, of.text);
	for (size_t i = 0; (of.what == RESOLVED_INSTANCE || of.what == RESOLVED_SYMBOLS) && i < of.n;
	     i++)
		if (kind_is_type(of.v[i]->kind) && assigned_stub(g, of.v[i], name, depth, out))
			return true;
	return false;
}

/* The length of an expression without calls that only adjust a stub: stub.withDeadlineAfter(). */
static size_t grpc_adjusted(const char *x, size_t n)
{
	while (n > 2 && x[n - 1] == ')') {
		size_t from = n;
		while (from && x[from - 1] != '.')
			from--;
		if (from < 2 || strncasecmp(x + from, "with", 4) || !isupper((unsigned char)x[from + 4]))
			break;
		n = from - 1;
	}
	return n;
}

/* A name without a dot: a local, a name in scope, or a field of the object itself. */
static bool name_stub(struct grpc *g, struct source_file *f, int definition, uint32_t line,
    const char *name, bool call, int depth, struct service_ref *out)
{
	const struct local *x = NULL;

	if (!call)
		x = grpc_local(g, f, definition, line, name);
	if (x)
		return grpc_local_stub(g, f, x, depth, out);
	g->l->steps = MOST_STEPS;
	struct resolved_value v = scope_find_name(g->l, f, definition, line, name);
	if (any_stub_variable(g, &v, depth, out))
		return true;
	struct resolved_value self = scope_find_self(g->l, f, definition);
	return f->dialect->implicit_self && self.what == RESOLVED_INSTANCE && self.n &&
	    assigned_stub(g, self.v[0], name, depth, out);
}

bool grpc_stub(struct grpc *g, struct source_file *f, int definition, uint32_t line,
    const char *text, int depth, struct service_ref *out)
{
	size_t n = grpc_adjusted(text, strlen(text));

	if (!n || depth > DEEPEST || *text == '?' || !f->dialect)
		return false;
	bool call = n > 2 && text[n - 1] == ')', made = n > 1 && text[n - 1] == '!';
	if (call)
		n -= 2;		/* () */
	else if (made)
		n--;
	text = arena_strn(g->l->a, text, n);
	if (call && grpc_stub_by_name(g, f, definition, text, n, &f->dialect->stub_maker, out))
		return true;
	if (made)
		return grpc_stub_by_name(g, f, definition, text, n, &f->dialect->stub, out);
	size_t dot = n;
	while (dot && !strchr(".)]", text[dot - 1]))
		dot--;
	if (!dot)
		return name_stub(g, f, definition, line, text, call, depth, out);
	if (text[dot - 1] != '.')
		return false;
	return member_stub(
	    g, f, definition, line, arena_strn(g->l->a, text, dot - 1), text + dot, depth, out);
}

/* ---- receivers of calls ---- */

static size_t receiver_slot(const struct grpc *g, const struct receiver *r)
{
	uint64_t h = ((uintptr_t)r->text >> 3 ^ (uintptr_t)r->first >> 2 ^
	                 (uint64_t)r->definition << 40) *
	    0x9e3779b97f4a7c15u;
	size_t i = (size_t)(h >> 32);
	const struct receiver *x;

	for (;; i++) {
		i &= g->receivers_size - 1;
		x = &g->receivers[i];
		if (!x->text ||
		    (x->text == r->text && x->definition == r->definition && x->first == r->first))
			return i;
	}
}

static void receivers_widen(struct grpc *g)
{
	enum { FIRST = 64 };
	struct receiver *old = g->receivers;
	size_t n = g->receivers_size;

	if (g->nreceivers * 2 < n)
		return;
	g->receivers_size = MAX(n * 2, (size_t)FIRST);
	g->receivers = xcalloc(g->receivers_size, sizeof *g->receivers);
	for (size_t i = 0; i < n; i++)
		if (old[i].text)
			g->receivers[receiver_slot(g, &old[i])] = old[i];
	free(old);
}

const struct receiver *grpc_receiver(struct grpc *g, const struct reference *r)
{
	struct source_file *f = g->l->file;
	/* The line only decides which of the locals of a name is meant. */
	const char *first = arena_strn(g->l->a, r->receiver, strcspn(r->receiver, ".([!"));
	struct receiver x = { .text = r->receiver, .definition = r->definition,
		.first = grpc_local(g, f, r->definition, r->line, first) };

	receivers_widen(g);
	struct receiver *known = &g->receivers[receiver_slot(g, &x)];
	if (known->text)
		return known;
	g->by = NULL;
	x.stub = grpc_stub(g, f, r->definition, r->line, r->receiver, 0, &x.named);
	x.by = g->by;
	g->nreceivers++;
	*known = x;
	return known;
}

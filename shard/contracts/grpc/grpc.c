#include "shard/contracts/grpc/grpc_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/program/file_symbols.h"

enum { MOST_FACTS = 2000, MOST_STEPS = 400, MOST_RAW = 160 };

/* ---- facts ---- */

struct grpc_place {
	uint32_t line;
	int definition;
	const char *raw;
};

/* The line of a method's name: annotations come before its parameters, not behind them. */
static uint32_t grpc_line(const struct grpc *g, int definition)
{
	uint32_t line = 0;

	for (size_t i = 0; i < g->f->locals.n; i++) {
		const struct local *x = &g->f->locals.v[i];
		if (x->definition == definition && x->parameter && (!line || x->line < line))
			line = x->line;
	}
	if (line)
		return line;
	return g->f->definitions.v[definition].start_line;
}

static void put(struct grpc *g, const char *side, const struct rpc_service *s, const char *method,
    const struct grpc_place *p)
{
	struct fact f = { .side = side,
		.kind = "grpc",
		.method = "RPC",
		.framework = "grpc",
		.line = p->line,
		.end_line = p->line,
		.raw = p->raw,
		.file = g->l->file->path };

	if (p->definition >= 0)
		f.symbol = g->f->definitions.v[p->definition].qualified;
	if (g->by && g->by->value) {
		f.steps.v = arena_one(g->l->a, struct step);
		f.steps.v[f.steps.n++] = (struct step){ .file = f.file, .line = g->by->line,
			.text = arena_printf(g->l->a, "%s = %s", g->by->name, g->by->value) };
	}
	for (size_t i = 0; i < MAX(s->nfull, 1) && g->out->n < MOST_FACTS; i++) {
		const char *service = s->name;
		if (s->nfull)
			service = s->full[i];
		f.path = arena_printf(g->l->a, "%s/%s", service, method);
		g->out->v = grow(g->out->v, &g->out->cap, g->out->n + 1, sizeof f);
		g->out->v[g->out->n++] = f;
	}
}

/* ---- calls ---- */

static bool is_call(const struct grpc *g, const struct reference *r)
{
	if (!r->receiver || *r->receiver == '?' || !isalpha((unsigned char)*r->name))
		return false;
	return r->kind == REF_CALL || (r->kind == REF_VALUE && g->l->file->dialect->stub_value);
}

static void find_calls(struct grpc *g)
{
	for (size_t i = 0; i < g->f->references.n; i++) {
		const struct reference *r = &g->f->references.v[i];
		if (!is_call(g, r) || (r->definition >= 0 && g->f->definitions.v[r->definition].test))
			continue;
		const struct receiver *of = grpc_receiver(g, r);
		if (!of->stub)
			continue;
		g->by = of->by;
		const struct rpc_service *s = grpc_service(g, &of->named);
		const char *method = NULL;
		if (!s->infra && (r->kind != REF_VALUE || s->nmethods))
			method = grpc_method(g, s, r->name);
		if (method)
			put(g, "consumes", s, method, &(struct grpc_place){ r->line, r->definition,
			    arena_printf(g->l->a, "%.*s.%s", MOST_RAW, r->receiver, r->name) });
	}
}

/* ---- implementations ---- */

/* The services that the bases of a type are generated for. */
static void services_of_bases(struct grpc *g, const struct sym *type, int depth,
    const struct rpc_service **v, size_t *n, size_t most)
{
	struct resolved_value base;
	const struct base_type *b;

	for (size_t i = 0; depth < DEEPEST && inherit_base(g->l, type, i, &base, &b); i++) {
		struct source_file *f = sym_file(g->l, type);
		struct service_ref name;
		if (!f->dialect)
			return;
		if (grpc_stub_by_name(
		        g, f, type->parent, b->type, strcspn(b->type, "<"), &f->dialect->servicer, &name)) {
			if (*n < most)
				v[(*n)++] = grpc_service(g, &name);
		} else if (base.what == RESOLVED_SYMBOLS && base.n) {
			services_of_bases(g, base.v[0], depth + 1, v, n, most);
		}
	}
}

/* Whether a type has all methods of a service, of which there is at least one. */
static bool has_methods(struct grpc *g, const struct sym *type, const struct rpc_service *s)
{
	size_t n = 0;

	while (n < s->nmethods) {
		g->l->steps = MOST_STEPS;
		struct resolved_value v = inherit_member(g->l, type, s->method[n]);
		if (v.what != RESOLVED_SYMBOLS || !v.n || !kind_is_callable(v.v[0]->kind))
			return false;
		n++;
	}
	return n > 0;
}

/* The service that a type has all methods of, which alone makes it an implementation (Go). */
static const struct rpc_service *service_with_all_methods(
    struct grpc *g, const struct sym *type, const char *method)
{
	const struct sym *v[MOST_PROTOS];
	size_t n = resolver_find_rpc_methods(g->l, method, v, MOST_PROTOS);

	for (size_t i = 0; i < n && i < MOST_PROTOS; i++) {
		const struct sym *owner = sym_parent(g->l, v[i]);
		const struct rpc_service *s = NULL;
		if (owner)
			s = grpc_service(
			    g, &(struct service_ref){ .name = owner->name, .hint = type->qualified });
		if (s && has_methods(g, type, s))
			return s;
	}
	return NULL;
}

/* Find the services of the type, which is a new entry of g->types. */
static void find_services(struct grpc *g, size_t at, const struct sym *type, const char *method)
{
	const struct rpc_service *v[LEN(g->types->v)];
	size_t n = 0;
	bool structural = g->l->file->dialect->structural && kind_is_type(type->kind) &&
	    type->kind != KIND_interface;

	g->l->steps = MOST_STEPS;
	services_of_bases(g, type, 0, v, &n, LEN(v));
	if (!n && structural) {
		v[0] = service_with_all_methods(g, type, method);
		if (v[0]) {
			g->types[at].resembles = true;
			n = 1;
		}
	}
	g->types[at].n = n;
	memcpy(g->types[at].v, v, n * sizeof *v);
}

/* The index of a type in g->types, with the services that it implements. */
static size_t type_at(struct grpc *g, const struct sym *type, const char *method)
{
	for (size_t i = 0; i < g->ntypes; i++)
		if (g->types[i].type == type)
			return i;
	size_t at = g->ntypes++;
	g->types = grow(g->types, &g->types_cap, g->ntypes, sizeof *g->types);
	memset(&g->types[at], 0, sizeof *g->types);
	g->types[at].type = type;
	find_services(g, at, type, method);
	return at;
}

/*
 * Whether a method has the signature of the language's gRPC methods: a context, an observer, or
 * types that are named after the service.
 */
static bool has_grpc_signature(const struct grpc *g, int definition, const struct rpc_service *s)
{
	const struct word_list *types = &g->l->file->dialect->servicer_types;
	const struct word_list *not = &g->l->file->dialect->servicer_not;
	size_t n = strlen(s->name);
	bool found = !types->n && isupper((unsigned char)*g->f->definitions.v[definition].name);

	for (size_t i = 0; i < g->f->references.n; i++) {
		const struct reference *r = &g->f->references.v[i];
		if (r->definition != definition || r->kind != REF_TYPE)
			continue;
		if (word_list_has(not, r->name, strlen(r->name)))
			return false;
		found |= word_list_has(types, r->name, strlen(r->name)) ||
		    (!strncmp(r->name, s->name, n) && r->name[n] == '_');
	}
	const struct definition *d = &g->f->definitions.v[definition];
	return found && (!g->l->file->dialect->structural || (d->type && d->exported));
}

static bool is_generated_type(struct grpc *g, const struct reference *r)
{
	const struct word_list *from = &g->l->file->dialect->stub_from;

	if (r->kind != REF_TYPE || !r->receiver || *r->receiver == '?')
		return false;
	return grpc_contains_word(from, r->receiver) ||
	    grpc_contains_word(from, grpc_unalias(g, g->l->file, r->receiver));
}

/* Whether a method uses types of generated code, by the name of their package. */
static bool uses_generated_types(struct grpc *g, int definition)
{
	for (size_t i = 0; i < g->f->references.n; i++) {
		const struct reference *r = &g->f->references.v[i];
		if (r->definition == definition && is_generated_type(g, r))
			return true;
	}
	return false;
}

/* The service's method that a method of an implementation is, or NULL. */
static const char *implemented_method(struct grpc *g, const struct rpc_service *s, int definition)
{
	bool by_name = s->nmethods && !g->l->file->dialect->structural;

	if (s->infra || (!by_name && !has_grpc_signature(g, definition, s)))
		return NULL;
	return grpc_method(g, s, g->f->definitions.v[definition].name);
}

static void find_methods(struct grpc *g)
{
	if (!g->l->file->dialect->servicer.n)
		return;
	for (size_t i = 0; i < g->f->definitions.n; i++) {
		const struct definition *d = &g->f->definitions.v[i];
		g->l->steps = MOST_STEPS;
		if (kind_of(d->kind) != KIND_method || d->test)
			continue;
		struct resolved_value self = scope_find_self(g->l, g->l->file, (int)i);
		if (self.what != RESOLVED_INSTANCE || !self.n)
			continue;
		size_t t = type_at(g, self.v[0], d->name);
		g->by = NULL;
		if (g->types[t].resembles && !uses_generated_types(g, (int)i))
			continue;
		for (size_t k = 0; k < g->types[t].n; k++) {
			const struct rpc_service *s = g->types[t].v[k];
			const char *method = implemented_method(g, s, (int)i);
			if (method)
				put(g, "provides", s, method,
				    &(struct grpc_place){ grpc_line(g, (int)i), (int)i, NULL });
		}
	}
}

/* ---- handlers that are registered with a server ---- */

/*
 * The service that an expression names by its last part: what grpc-tools call CartService is Cart.
 */
static struct service_ref named_service(struct grpc *g, const char *value)
{
	const char *hint = grpc_unfold(g, g->l->file, value), *dot = strrchr(hint, '.'), *last = hint;

	if (dot)
		last = dot + 1;
	size_t end = strlen(last);
	if (end > 7 && strstr(hint, "_grpc_pb") && !strcmp(last + end - 7, "Service"))
		end -= 7;
	return (struct service_ref){ .name = arena_strn(g->l->a, last, end), .hint = hint };
}

/* The service that a local of grpc_sites.h names; its registration confirms that it is gRPC's. */
static const struct rpc_service *site_service(struct grpc *g, const struct local *x)
{
	struct source_file *f = g->l->file;
	struct service_ref n;

	if (!x->value)
		n = (struct service_ref){ .name = x->type + 1, .hint = x->type };
	else if (!grpc_stub_by_name(
	             g, f, x->definition, x->value, strlen(x->value), &f->dialect->stub, &n))
		n = named_service(g, x->value);
	return grpc_service(g, &n);
}

/* The service of a function that registers implementations, cart.RegisterCartServer; or NULL. */
static const struct rpc_service *registered_service(struct grpc *g, const struct local *x)
{
	const struct word_list *makers = &g->l->file->dialect->servicer_maker;
	struct service_ref n;

	if (x->value && makers->n &&
	    grpc_stub_by_name(g, g->l->file, x->definition, x->value, strlen(x->value), makers, &n))
		return grpc_service(g, &n);
	return NULL;
}

/*
 * Whether a method may be one of a service whose methods are unknown: it takes a context and a
 * request, and returns a type of another package.
 */
static bool answers(struct grpc *g, const struct sym *y, const struct rpc_service *s)
{
	if (sym_file(g->l, y) == g->l->file)
		return has_grpc_signature(g, y->index, s);
	/* the receiver is one */
	return y->exported && y->most == 3 && y->type && strchr(y->type, '.');
}

/* The types of an object that is registered with a server. */
static struct resolved_value given_types(struct grpc *g, const struct local *x)
{
	g->l->steps = MOST_STEPS;
	struct resolved_value v = infer_instance(
	    g->l, infer_expression(g->l, g->l->file, x->definition, x->line, x->type));

	if (v.what == RESOLVED_TYPE_TEXT)
		v = infer_named_type(g->l, v.file, v.definition, v.text);
	if (v.what != RESOLVED_INSTANCE && v.what != RESOLVED_SYMBOLS)
		v.n = 0;
	return v;
}

/*
 * A method of the object; for a method of another file, the place where the object is registered.
 */
static void put_member(
    struct grpc *g, const struct rpc_service *s, const struct sym *y, const struct local *x)
{
	struct grpc_place place = { x->line, x->definition, NULL };
	const char *method = grpc_method(g, s, y->name);

	if (!method)
		return;
	if (sym_file(g->l, y) == g->l->file) {
		place.line = grpc_line(g, y->index);
		place.definition = y->index;
	}
	put(g, "provides", s, method, &place);
}

/* All methods of an object that are methods of the service. */
static void put_members(struct grpc *g, const struct rpc_service *s, const struct local *x)
{
	struct resolved_value v = given_types(g, x);

	for (size_t i = 0; i < v.n && s->nmethods; i++) {
		const struct file_symbols *u = resolver_type_bases(
		    g->l, sym_file(g->l, v.v[i]), v.v[i]->qualified);
		size_t n;
		const uint32_t *below = file_symbols_find_members(u, v.v[i]->qualified, &n);
		for (size_t k = 0; k < n; k++)
			if (u->v[below[k]].parent == v.v[i]->index)
				put_member(g, s, &u->v[below[k]], x);
	}
}

/*
 * The methods of an object that a function registers: those of the service, in any file, or, if
 * these are unknown, those in the file of its type.
 */
static void put_registered(struct grpc *g, const struct rpc_service *s, const struct local *x)
{
	struct resolved_value v = given_types(g, x);
	const struct sym *type = NULL;

	if (v.n == 1 && kind_is_type(v.v[0]->kind) && v.v[0]->kind != KIND_interface)
		type = v.v[0];
	size_t known = 0;

	if (type)
		known = type_at(g, type, "");
	if (!type || g->types[known].n)
		return;		/* find_methods has it */
	for (size_t i = 0; i < s->nmethods; i++) {
		g->l->steps = MOST_STEPS;
		struct resolved_value m = inherit_member(g->l, type, s->method[i]);
		if (m.what == RESOLVED_SYMBOLS && m.n && kind_is_callable(m.v[0]->kind))
			put_member(g, s, m.v[0], x);
	}
	const struct file_symbols *u = resolver_file_scope(g->l, sym_file(g->l, type));
	size_t n;
	const uint32_t *below = file_symbols_find_members(u, type->qualified, &n);
	for (size_t k = 0; k < n && !s->nmethods; k++)
		if (answers(g, &u->v[below[k]], s))
			put_member(g, s, &u->v[below[k]], x);
}

static void find_site(struct grpc *g, const struct local *x)
{
	bool registers = g->l->file->dialect->servicer_maker.n > 0;
	const struct rpc_service *s;

	if (registers)
		s = registered_service(g, x);
	else
		s = site_service(g, x);
	g->by = NULL;
	if (!s || s->infra)
		return;
	if (x->name[2]) {
		const char *method = grpc_method(g, s, x->name + 2);
		if (method)
			put(g, "provides", s, method, &(struct grpc_place){ x->line, x->definition, NULL });
	} else if (registers) {
		put_registered(g, s, x);
	} else {
		put_members(g, s, x);
	}
}

static void find_sites(struct grpc *g)
{
	for (size_t i = 0; i < g->f->locals.n; i++)
		if (!strncmp(g->f->locals.v[i].name, "//", 2))
			find_site(g, &g->f->locals.v[i]);
}

/* Whether the file is generated code, which neither calls nor implements anything. */
static bool is_generated(const struct grpc *g)
{
	for (size_t i = 0; i < g->f->locals.n; i++)
		if (g->f->locals.v[i].name[0] == '/' && g->f->locals.v[i].name[1] != '/')
			return true;
	return false;
}

void grpc_find(struct name_resolver *l, struct fact_list *out)
{
	struct grpc g = { .l = l, .f = l->facts, .out = out };

	if (!l->file->dialect || l->file->test || is_generated(&g) ||
	    !(l->file->dialect->stub.n || l->file->dialect->servicer.n))
		return;
	find_sites(&g);
	find_methods(&g);
	find_calls(&g);
	free(g.types);
	free(g.receivers);
}

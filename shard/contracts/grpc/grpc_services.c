#include "shard/contracts/grpc/grpc_internal.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/program/file_symbols.h"

enum { LONGEST = 400 };

/* ---- names ---- */

/* How many bytes of a pattern are fixed, and how many are stars. */
static void count_pattern(const char *pattern, size_t *fixed, size_t *stars)
{
	*fixed = *stars = 0;
	for (const char *p = pattern; *p; p++)
		if (*p == '*')
			++*stars;
		else
			++*fixed;
}

/* Whether a word is that of a service: it begins with a capital and has no signs. */
static bool is_service_word(const char *word, size_t n)
{
	return isupper((unsigned char)*word) && !memchr(word, '_', n) && !memchr(word, '.', n) &&
	    !memchr(word, '(', n);
}

/* Whether `text` is `pattern`, in which each `*` stands for the same word. */
static bool grpc_star(
    const char *pattern, const char *text, size_t n, const char **word, size_t *nword)
{
	size_t fixed, stars;

	count_pattern(pattern, &fixed, &stars);
	if (!stars || n < fixed + stars || (n - fixed) % stars)
		return false;
	*nword = (n - fixed) / stars;
	*word = NULL;
	for (const char *p = pattern; *p; p++) {
		if (*p != '*') {
			if (*p != *text++)
				return false;
			continue;
		}
		if (!*word)
			*word = text;
		if (memcmp(*word, text, *nword))
			return false;
		text += *nword;
	}
	return is_service_word(*word, *nword);
}

const char *grpc_match_pattern(const char *pattern, const char *text, struct arena *a)
{
	size_t n = strlen(text), nword;
	char last = '*';
	const char *word;

	if (*pattern)
		last = pattern[strlen(pattern) - 1];
	if (!n || (last != '*' && last != text[n - 1]))	/* most patterns end in another letter */
		return NULL;
	for (size_t at = 0; at < n; at++)
		if ((!at || text[at - 1] == '.') && grpc_star(pattern, text + at, n - at, &word, &nword))
			return arena_strn(a, word, nword);
	return NULL;
}

/* Whether an import may bind a single name that is `first`. */
static bool may_bind(const struct import *x, const char *first)
{
	if (!x->module || x->include || (x->name && !strcmp(x->name, "*")))
		return false;
	return x->alias || x->name || strstr(x->module, first);
}

const char *grpc_unalias(struct grpc *g, struct source_file *f, const char *text)
{
	const struct file_symbols *u = resolver_file_scope(g->l, f);
	size_t n = strcspn(text, ".(!<[");
	const char *first = arena_strn(g->l->a, text, n);

	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (!may_bind(x, first) || strcmp(import_name(x, f->dialect, g->l->a), first))
			continue;
		if (x->name)
			return arena_printf(g->l->a, "%s.%s%s", x->module, x->name, text + n);
		return arena_printf(g->l->a, "%s%s", x->module, text + n);
	}
	return text;
}

bool grpc_contains_word(const struct word_list *words, const char *text)
{
	for (size_t i = 0; i < words->n; i++)
		if (strstr(text, words->v[i]))
			return true;
	return false;
}

/* The expression with its first name replaced by the variable's value, or the function's result. */
static const char *unfold_once(struct grpc *g, struct source_file *f, const char *text)
{
	const struct file_symbols *u = resolver_file_scope(g->l, f);
	size_t n = strcspn(text, ".(!<[");
	size_t count;
	const char *name = arena_strn(g->l->a, text, n), *rest = text + n;
	if (*rest == '(')
		rest += 2;	/* () */
	const uint32_t *at = file_symbols_find(u, name, &count);

	for (size_t i = 0; i < count; i++)
		if (u->v[at[i]].value)
			return arena_printf(g->l->a, "%s%s", u->v[at[i]].value, rest);
	for (size_t i = 0; f == g->l->file && i < g->f->locals.n; i++)
		if (g->f->locals.v[i].value && !strcmp(g->f->locals.v[i].name, name))
			return arena_printf(g->l->a, "%s%s", g->f->locals.v[i].value, rest);
	return grpc_unalias(g, f, text);
}

const char *grpc_unfold(struct grpc *g, struct source_file *f, const char *text)
{
	for (int i = 0; i < DEEPEST && strlen(text) < LONGEST; i++) {
		const char *next;
		if (f->dialect->stub_value)
			next = unfold_once(g, f, text);
		else
			next = grpc_unalias(g, f, text);
		if (next == text || grpc_contains_word(&f->dialect->stub_from, next) ||
		    grpc_contains_word(&f->dialect->stub_loader, next))
			return next;
		text = next;
	}
	return text;
}

bool grpc_generated_file(struct grpc *g, struct source_file *f, const char *service)
{
	const struct file_symbols *u = resolver_file_scope(g->l, f);
	size_t n = strlen(service);

	for (size_t i = 0; i < u->nlocals && u->locals[i].definition < 0; i++) {
		const char *name = u->locals[i].name;
		if (*name == '/' && !strncmp(name + 1, service, n) && name[n + 1] == '/')
			return true;
	}
	return false;
}

/* ---- services ---- */

static void add_full(struct rpc_service *s, const char *full)
{
	for (size_t i = 0; i < s->nfull; i++)
		if (!strcmp(s->full[i], full))
			return;
	if (s->nfull < MOST_FULL)
		s->full[s->nfull++] = full;
}

static void add_method(struct rpc_service *s, const char *name)
{
	for (size_t i = 0; i < s->nmethods; i++)
		if (!strcmp(s->method[i], name))
			return;
	if (s->nmethods < MOST_METHODS)
		s->method[s->nmethods++] = name;
}

static void read_generated(struct grpc *g, struct rpc_service *s)
{
	const struct file_symbols *u = resolver_file_scope(g->l, s->generated);
	size_t n = strlen(s->name);

	for (size_t i = 0; i < u->nlocals && u->locals[i].definition < 0; i++) {
		const struct local *x = &u->locals[i];
		if (*x->name != '/' || strncmp(x->name + 1, s->name, n) || x->name[n + 1] != '/')
			continue;
		add_full(s, x->type);
		add_method(s, x->name + n + 2);
	}
}

/* Whether a hint contains a part of a package's name as a whole word. */
static bool has_word(const char *hint, const char *word, size_t n)
{
	for (const char *at = strchr(hint, *word); at; at = strchr(at + 1, *word)) {
		bool begins = at == hint || !isalnum((unsigned char)at[-1]);
		if (begins && !strncmp(at, word, n) && !isalnum((unsigned char)at[n]))
			return true;
	}
	return false;
}

/* How much of a .proto file's package and name occurs in the hint of a service. */
static int nearness(const struct source_file *proto, const char *hint)
{
	const char *package = proto->package;
	int score = 0;

	if (strstr(hint, proto->stem))
		score++;
	while (package && *package) {
		size_t n = strcspn(package, ".");
		if (has_word(hint, package, n))
			score += 2;
		package += n + (package[n] == '.');
	}
	return score;
}

static void read_proto(struct grpc *g, struct rpc_service *s, const struct sym *y)
{
	struct source_file *f = sym_file(g->l, y);
	const struct file_symbols *u = resolver_type_bases(g->l, f, y->qualified);
	size_t n;
	const uint32_t *below = file_symbols_find_members(u, y->qualified, &n);

	if (f->package)
		add_full(s, arena_printf(g->l->a, "%s.%s", f->package, y->name));
	else
		add_full(s, y->name);
	for (size_t i = 0; i < n; i++)
		if (u->v[below[i]].kind == KIND_method)
			add_method(s, u->v[below[i]].name);
}

/* Read the .proto files with such a service; of several, the nearest ones. */
static void read_protos(struct grpc *g, struct rpc_service *s)
{
	const struct sym *v[MOST_PROTOS];
	size_t n = resolver_find_services(g->l, s->name, v, MOST_PROTOS);
	int best = 0;

	n = MIN(n, MOST_PROTOS);
	for (size_t i = 0; i < n; i++) {
		int near = nearness(sym_file(g->l, v[i]), s->hint);
		best = MAX(near, best);
	}
	for (size_t i = 0; i < n; i++)
		if (nearness(sym_file(g->l, v[i]), s->hint) == best)
			read_proto(g, s, v[i]);
}

/* proto = loader().shop.v1; new proto.Cart(): the path behind the call is the full name. */
static void read_loaded(struct grpc *g, struct rpc_service *s)
{
	const char *full = strrchr(s->hint, ')');

	if (full && full[1] == '.' && strchr(full + 2, '.') && g->l->file->dialect->stub_value)
		add_full(s, full + 2);
}

static bool is_infra(const struct rpc_service *s)
{
	static const char *const full[] = { "grpc.health.v1.Health",
		"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection" };

	for (size_t i = 0; i < LEN(full); i++) {
		const char *name = strrchr(full[i], '.') + 1, *known = s->name;
		if (s->nfull) {
			known = s->full[0];
			name = full[i];
		}
		if (!strcmp(known, name))
			return true;
	}
	return false;
}

const struct rpc_service *grpc_service(struct grpc *g, const struct service_ref *n)
{
	struct rpc_service *s;

	for (s = g->services; s; s = s->next)
		if (!strcmp(s->name, n->name) && !strcmp(s->hint, n->hint) && s->generated == n->generated)
			return s;
	s = arena_one(g->l->a, struct rpc_service);
	*s = (struct rpc_service){ 
		.name = n->name, .hint = n->hint, .generated = n->generated, .next = g->services
	};
	g->services = s;
	if (s->generated)
		read_generated(g, s);
	if (!s->nmethods)
		read_protos(g, s);
	if (!s->nfull)
		read_loaded(g, s);
	s->infra = is_infra(s);
	return s;
}

/* Whether code uses the name for a method: sayHello or SayHello, or say_hello for SayHello. */
static bool is_called(const struct dialect *d, const char *method, const char *name, size_t n)
{
	if (!d->stub_snake)
		return strlen(method) == n && !strncasecmp(method, name, 1) &&
		    !strncmp(method + 1, name + 1, n - 1);
	for (; n; name++, n--)
		if (*name != '_' && tolower((unsigned char)*method++) != tolower((unsigned char)*name))
			return false;
	return !*method;
}

static const char *method_called(
    const struct grpc *g, const struct rpc_service *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->nmethods; i++)
		if (is_called(g->l->file->dialect, s->method[i], name, n))
			return s->method[i];
	return NULL;
}

/* A name without one of the endings, then without one of the beginnings, that stubs add. */
static void strip_stub_affixes(const struct dialect *d, const char **name, size_t *n)
{
	for (size_t i = 0; i < d->stub_suffix.n; i++) {
		size_t end = strlen(d->stub_suffix.v[i]);
		if (*n > end && !strncmp(*name + *n - end, d->stub_suffix.v[i], end)) {
			*n -= end;
			break;
		}
	}
	for (size_t i = 0; i < d->stub_prefix.n; i++) {
		size_t begin = strlen(d->stub_prefix.v[i]);
		if (*n > begin && !strncmp(*name, d->stub_prefix.v[i], begin) &&
		    isupper((unsigned char)(*name)[begin])) {
			*name += begin;
			*n -= begin;
			break;
		}
	}
}

/* The name that the method of an unknown service would have: SayHello. */
static const char *guess_method_name(const struct grpc *g, const char *name, size_t n)
{
	struct buf b = { 0 };
	bool upper = true, snake = g->l->file->dialect->stub_snake;

	for (size_t i = 0; i < n; i++) {
		char c = name[i];
		bool joint = snake && c == '_';
		if (upper)
			c = (char)toupper((unsigned char)c);
		if (!joint)
			buf_byte(&b, c);
		upper = joint;
	}
	buf_str(&b, "");
	const char *out = arena_str(g->l->a, b.p);
	buf_free(&b);
	return out;
}

const char *grpc_method(const struct grpc *g, const struct rpc_service *s, const char *name)
{
	const struct dialect *d = g->l->file->dialect;
	size_t n = strlen(name);
	const char *found = method_called(g, s, name, n);

	if (found)
		return found;
	strip_stub_affixes(d, &name, &n);
	found = method_called(g, s, name, n);
	if (found)
		return found;
	if (s->nmethods || !n || word_list_has(&d->stub_own, name, n) ||
	    (n > 4 && !strncasecmp(name, "with", 4) && isupper((unsigned char)name[4])))
		return NULL;
	return guess_method_name(g, name, n);
}

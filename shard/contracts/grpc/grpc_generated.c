#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/grpc/grpc.h"
#include "shard/facts/facts.h"

enum { MOST_NAMES = 2000, LONGEST = 300 };

struct grpc_name_list {
	struct local *v;
	size_t n, cap;
};

static size_t word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/*
 * The lengths of `package.Service` and `Method` in `/package.Service/Method`, which ends with
 * `quote`; false: it is something else.
 */
static bool full_name(const char *s, char quote, size_t *service, size_t *method)
{
	size_t n;

	*service = *method = 0;
	for (;;) {
		n = word(s + 1 + *service);
		if (!n || *service >= LONGEST)
			break;
		*service += n;
		if (s[1 + *service] != '.')
			break;
		++*service;
	}
	const char *rest = s + 1 + *service;
	if (*rest == '/')
		*method = word(rest + 1);
	return n && *method && memchr(s, '.', *service) && isupper((unsigned char)rest[1]) &&
	    rest[1 + *method] == quote;
}

static void add(struct grpc_name_list *names, const char *s, size_t service, size_t method,
    uint32_t line, struct arena *a)
{
	const char *full = arena_strn(a, s + 1, service);

	names->v = grow(names->v, &names->cap, names->n + 1, sizeof *names->v);
	names->v[names->n++] = (struct local){
		.name = arena_printf(a, "/%s/%.*s", strrchr(full, '.') + 1, (int)method, s + service + 2),
		.type = full,
		.definition = -1,
		.line = line
	};
}

/* Scan for names in quotes.  `text` ends with NUL, so looking ahead stays inside it. */
static void scan(const char *text, size_t n, struct grpc_name_list *names, struct arena *a)
{
	uint32_t line = 1;

	for (size_t i = 1, service, method; i < n && names->n < MOST_NAMES; i++) {
		line += text[i] == '\n';
		if (text[i] == '/' && (text[i - 1] == '"' || text[i - 1] == '\'') &&
		    full_name(text + i, text[i - 1], &service, &method))
			add(names, text + i, service, method, line, a);
	}
}

/* The name of a service without its package. */
static const char *short_name(const char *full)
{
	const char *dot = strrchr(full, '.');

	if (dot)
		return dot + 1;
	return full;
}

/*
 * Ruby's generated class: `self.service_name = 'shop.Cart'`, then `rpc :AddItem, ...` for each
 * method.
 */
static void scan_ruby(const char *text, struct grpc_name_list *names, struct arena *a)
{
	static const char head[] = "self.service_name = ", rpc[] = "rpc :";
	const char *counted = text;
	uint32_t line = 1;

	for (const char *s = strstr(text, head); s;) {
		s += sizeof head - 1;
		if (*s == '\'' || *s == '"')
			s++;
		const char *end = s + strcspn(s, "'\"\n"), *next = strstr(end, head);
		const char *full = arena_strn(a, s, (size_t)(end - s));
		for (const char *at = strstr(end, rpc); at && (!next || at < next) && names->n < MOST_NAMES;
		     at = strstr(at, rpc)) {
			for (; counted < at; counted++)
				line += *counted == '\n';
			at += sizeof rpc - 1;
			names->v = grow(names->v, &names->cap, names->n + 1, sizeof *names->v);
			names->v[names->n++] = (struct local){
				.name = arena_printf(a, "/%s/%.*s", short_name(full), (int)word(at), at),
				.type = full,
				.definition = -1,
				.line = line
			};
		}
		s = next;
	}
}

void grpc_find_generated_names(const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct grpc_name_list names = { 0 };

	if (!out->generated)
		return;
	text = arena_strn(a, text, n);
	scan(text, n, &names, a);
	scan_ruby(text, &names, a);
	facts_append_locals(out, names.v, names.n, a);
	free(names.v);
}

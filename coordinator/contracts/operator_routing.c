#include "coordinator/contracts/operator_routing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/text/call_rules.h"
#include "proto/text/gateway_rules.h"

enum { ROUTING_FILE_MAX = 4 << 20 };

static const struct flat_rule rules[] = {
	{ "repositories[].name", FLAT_TEXT, true },
	{ "repositories[].hosts[]", FLAT_NAME, false },
	GATEWAY_RULES,
	CALL_RULES(true),
};

struct routing_document {
	struct arena *a;
	struct flat_entry *v;
	size_t n;
};

static void take(void *arg, const struct flat_entry *v, size_t n)
{
	struct routing_document *d = arg;
	struct flat_entry *all = arena_many(d->a, d->n + n, struct flat_entry);

	if (d->n)
		memcpy(all, d->v, d->n * sizeof *v);
	if (n)
		memcpy(all + d->n, v, n * sizeof *v);
	d->v = all;
	d->n += n;
}

static int read_file(const char *file, struct buf *b, struct err *e)
{
	FILE *f = fopen(file, "rb");
	char bytes[16384];
	size_t n;
	int failed = 0;

	if (!f)
		return err_set(e, ERR_INVALID_INPUT, "--routing %s: %s", file, strerror(errno));
	do {
		n = fread(bytes, 1, sizeof bytes, f);
		if (ferror(f))
			failed = errno;
		buf_put(b, bytes, n);
	} while (n && b->n < ROUTING_FILE_MAX);
	fclose(f);
	if (failed)
		return err_set(e, ERR_INVALID_INPUT, "--routing %s: %s", file, strerror(failed));
	if (b->n < ROUTING_FILE_MAX)
		return 0;
	return err_set(
	    e, ERR_INVALID_INPUT, "--routing %s: larger than %d bytes", file, ROUTING_FILE_MAX);
}

static const char *nth_host(
    const struct routing_document *d, size_t repository, size_t k, struct arena *a)
{
	return flat_get(d->v, d->n, "repositories", repository, arena_printf(a, "hosts[%zu]", k), NULL);
}

static void read_hosts(
    const struct routing_document *d, struct operator_routing *out, struct arena *a)
{
	size_t n = flat_count(d->v, d->n, "repositories");

	out->hosts = arena_get(a, d->n, sizeof *out->hosts);
	for (size_t i = 0; i < n; i++) {
		const char *name = flat_get(d->v, d->n, "repositories", i, "name", NULL);
		const char *host = nth_host(d, i, 0, a);
		for (size_t k = 1; host; k++) {
			out->hosts[out->nhosts].repository = name;
			out->hosts[out->nhosts++].host = gateway_normalize_host(host);
			host = nth_host(d, i, k, a);
		}
	}
}

static void read_gateways(
    const struct routing_document *d, struct operator_routing *out, struct arena *a)
{
	out->ngateways = gateway_rules_to_facts(d->v, d->n, "routing", a, &out->gateways);
	for (size_t i = 0; i < out->ngateways; i++)
		out->gateways[i].file = arena_str(a, out->file);
}

static void read_calls(
    const struct routing_document *d, struct operator_routing *out, struct arena *a)
{
	struct fact *v;

	out->ncalls = call_rules_to_facts(d->v, d->n, "routing", a, &v);
	out->calls = arena_get(a, out->ncalls + 1, sizeof *out->calls);
	for (size_t i = 0; i < out->ncalls; i++) {
		out->calls[i].repository = v[i].symbol;
		out->calls[i].fact = v[i];
		out->calls[i].fact.symbol = NULL;
		out->calls[i].fact.file = arena_str(a, out->file);
	}
}

static int read_document(const char *file, struct routing_document *d, struct err *e)
{
	struct buf b = { 0 };
	int rc = read_file(file, &b, e);

	if (!rc) {
		rc = flat_read(text_or_empty(b.p), b.n, d->a, take, d, e);
		if (rc)
			err_add(e, "%s", file);
	}
	buf_free(&b);
	return rc;
}

int operator_routing_read(
    const char *file, struct arena *a, struct operator_routing *out, struct err *e)
{
	struct routing_document d = { .a = a };

	*out = (struct operator_routing){ .file = file };
	if (!text_is_set(file))
		return 0;
	if (read_document(file, &d, e) || flat_check(file, d.v, d.n, rules, LEN(rules), e))
		return -1;
	read_hosts(&d, out, a);
	read_gateways(&d, out, a);
	read_calls(&d, out, a);
	return 0;
}

static bool is_called(const struct match_member *m, const char *name)
{
	return declarations_name_repository(m->repo_uri, m->name, name);
}

static void append_name(t_strs *names, const char *name, struct arena *a)
{
	const char **v = arena_many(a, names->n + 1, const char *);

	if (names->n)
		memcpy(v, names->v, names->n * sizeof *v);
	v[names->n++] = name;
	names->v = v;
}

/* What the operator says of a member, added to what it says itself. */
static void add_names(const struct operator_routing *r, const struct match_member *m,
    struct contracts_res *more, struct arena *a)
{
	for (size_t i = 0; i < r->nhosts; i++) {
		if (!is_called(m, r->hosts[i].repository))
			continue;
		append_name(&more->names, r->hosts[i].host, a);
		append_name(&more->declared, r->hosts[i].host, a);
	}
}

static void add_calls(const struct operator_routing *r, const struct match_member *m,
    struct contracts_res *more, struct arena *a)
{
	struct fact *v = arena_many(a, more->facts.n + r->ncalls, struct fact);
	size_t n = more->facts.n;

	if (n)
		memcpy(v, more->facts.v, n * sizeof *v);
	for (size_t i = 0; i < r->ncalls; i++)
		if (is_called(m, r->calls[i].repository))
			v[n++] = r->calls[i].fact;
	more->facts.v = v;
	more->facts.n = n;
}

/* Whether the table says anything about a member. */
static bool mentions(const struct operator_routing *r, const struct match_member *m)
{
	for (size_t i = 0; i < r->nhosts; i++)
		if (is_called(m, r->hosts[i].repository))
			return true;
	for (size_t i = 0; i < r->ncalls; i++)
		if (is_called(m, r->calls[i].repository))
			return true;
	return false;
}

static void add_to_member(const struct operator_routing *r, struct match_member *m, struct arena *a)
{
	struct contracts_res *more;

	if (!mentions(r, m))
		return;
	more = arena_one(a, struct contracts_res);
	if (m->facts)
		*more = *m->facts;
	add_names(r, m, more, a);
	add_calls(r, m, more, a);
	m->facts = more;
}

void operator_routing_apply(
    const struct operator_routing *r, struct match_member *m, size_t *n, struct arena *a)
{
	for (size_t i = 0; i < *n; i++)
		add_to_member(r, &m[i], a);
	if (!r->ngateways)
		return;
	struct contracts_res *own = arena_one(a, struct contracts_res);
	own->facts.v = r->gateways;
	own->facts.n = r->ngateways;
	m[(*n)++] = (struct match_member){ "routing", "", own };
}

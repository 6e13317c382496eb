#include "shard/contracts/specs/atoll_yaml.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/text/call_rules.h"
#include "proto/text/gateway_rules.h"
#include "shard/facts/facts.h"
#include "shard/settings/settings.h"

static const struct flat_rule rules[] = {
	{ "services[].name", FLAT_NAME, true },
	{ "services[].hosts[]", FLAT_NAME, false },
	{ "services[].base", FLAT_PATH, false },
	{ "routes[].path", FLAT_PATH, true },
	{ "routes[].method", FLAT_METHOD, false },
	{ "routes[].handler", FLAT_TEXT, false },
	CALL_RULES(false),
	GATEWAY_RULES,
	{ "exclude[]", FLAT_TEXT, false },
};

struct atoll_yaml {
	const char *path;
	struct arena *a;
	const struct flat_entry *v;
	size_t n, documents;
	struct { struct fact *v; size_t n, cap; } facts;
	struct { struct setting *v; size_t n, cap; } settings;
};

static const char *at(
    const struct atoll_yaml *m, const char *list, size_t i, const char *name, uint32_t *line)
{
	return flat_get(m->v, m->n, list, i, name, line);
}

static void put_setting(struct atoll_yaml *m, const char *key, const char *value, uint32_t line)
{
	m->settings.v = grow(m->settings.v, &m->settings.cap, m->settings.n + 1, sizeof *m->settings.v);
	m->settings.v[m->settings.n++] = (struct setting){ key, value, NULL, line };
}

static struct fact *put_fact(
    struct atoll_yaml *m, const char *side, const char *method, const char *path, uint32_t line)
{
	if (!method)
		method = "ANY";
	m->facts.v = grow(m->facts.v, &m->facts.cap, m->facts.n + 1, sizeof *m->facts.v);
	m->facts.v[m->facts.n] = (struct fact){ .side = side,
		.kind = "http",
		.method = method,
		.path = path,
		.framework = "atoll.yaml",
		.line = line,
		.end_line = line };
	return &m->facts.v[m->facts.n++];
}

/* The template of all paths below a base. */
static const char *below(struct arena *a, const char *base)
{
	size_t n = strlen(base);

	if (n && base[n - 1] == '/')
		n--;
	return arena_printf(a, "%.*s/{*}", (int)n, base);
}

static void service(struct atoll_yaml *m, size_t i)
{
	uint32_t line;
	const char *name = at(m, "services", i, "name", &line),
	           *base = at(m, "services", i, "base", NULL);

	put_setting(m, "atoll.name", name, line);
	for (size_t k = 0;; k++) {
		const char *host = at(m, "services", i, arena_printf(m->a, "hosts[%zu]", k), &line);
		if (!host)
			break;
		put_setting(m, "atoll.name", gateway_normalize_host(host), line);
	}
	/* the base is stripped from the paths of its routes, as a gateway does */
	if (base && strcmp(base, "/")) {
		struct fact *f = put_fact(m, "forwards", NULL, below(m->a, base), line);
		f->host = f->raw = name;
		f->to = "/{*}";
	}
}

static void services(struct atoll_yaml *m)
{
	for (size_t i = 0; i < flat_count(m->v, m->n, "services"); i++)
		service(m, i);
}

static void put_facts(struct atoll_yaml *m, const struct fact *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*put_fact(m, v[i].side, NULL, v[i].path, (uint32_t)v[i].line) = v[i];
}

static void gateways(struct atoll_yaml *m)
{
	struct fact *v;
	size_t n = gateway_rules_to_facts(m->v, m->n, "atoll.yaml", m->a, &v);

	put_facts(m, v, n);
}

static void links_and_denials(struct atoll_yaml *m)
{
	struct fact *v;
	size_t n = call_rules_to_facts(m->v, m->n, "atoll.yaml", m->a, &v);

	put_facts(m, v, n);
}

static void read_other_lists(struct atoll_yaml *m)
{
	uint32_t line;

	for (size_t i = 0; i < flat_count(m->v, m->n, "routes"); i++) {
		const char *path = at(m, "routes", i, "path", &line);
		put_fact(m, "provides", at(m, "routes", i, "method", NULL), path, line)->symbol = at(
		    m, "routes", i, "handler", NULL);
	}
	for (size_t i = 0; i < flat_count(m->v, m->n, "exclude"); i++) {
		const char *s = at(m, "exclude", i, "", &line);
		if (!s)
			continue;
		size_t n = strlen(s);
		if (n && s[n - 1] == '/')
			s = arena_printf(m->a, "%s*", s);
		put_setting(m, "atoll.exclude", s, line);
	}
}

static void take(void *arg, const struct flat_entry *v, size_t n)
{
	struct atoll_yaml *m = arg;
	struct flat_entry *copy = arena_many(m->a, n, struct flat_entry);

	if (n)
		memcpy(copy, v, n * sizeof *v);
	m->v = copy;
	m->n = n;
	m->documents++;
}

static int check(struct atoll_yaml *m, const char *text, size_t n, struct err *e)
{
	if (flat_read(text, n, m->a, take, m, e))
		return err_add(e, "%s", m->path);
	if (m->documents > 1)
		return err_set(e, ERR_INVALID_INPUT, "%s: more than one document", m->path);
	return flat_check(m->path, m->v, m->n, rules, LEN(rules), e);
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static void add(struct atoll_yaml *m, struct facts *out)
{
	struct setting *v = arena_many(m->a, out->settings.n + m->settings.n + 1, struct setting);

	if (out->settings.n)
		memcpy(v, out->settings.v, out->settings.n * sizeof *v);
	if (m->settings.n)
		memcpy(v + out->settings.n, m->settings.v, m->settings.n * sizeof *v);
	out->settings.v = v;
	out->settings.n += m->settings.n;
	if (m->facts.n) {
		qsort(m->facts.v, m->facts.n, sizeof *m->facts.v, by_line);
		facts_merge_contracts(out, m->facts.v, m->facts.n, m->a);
	}
}

void atoll_yaml_read(
    const char *path, const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct atoll_yaml m = { .path = path, .a = a };
	struct err e = { 0 };

	if (strcmp(path, "atoll.yaml") && strcmp(path, "atoll.yml"))
		return;
	if (check(&m, text, n, &e)) {
		log_warn("atoll_yaml.invalid", "message=%s", log_quote(e.msg));
		out->limit = arena_str(a, e.msg);
		return;
	}
	services(&m);
	gateways(&m);
	links_and_denials(&m);
	read_other_lists(&m);
	add(&m, out);
	free(m.facts.v);
	free(m.settings.v);
}

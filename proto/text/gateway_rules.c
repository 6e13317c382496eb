#include "proto/text/gateway_rules.h"

#include <string.h>

#include "proto/base/arena.h"

const char *gateway_normalize_host(const char *host)
{
	const char *colon = strchr(host, ':');

	if (colon && (!strncmp(host, "localhost:", 10) || !strncmp(host, "127.0.0.1:", 10)))
		return colon;
	return host;
}

/* The public hosts of a gateway, separated by blanks, or NULL if it names none. */
static const char *public_hosts(const struct flat_entry *v, size_t n, size_t row, struct arena *a)
{
	const char *all = NULL;

	for (size_t i = 0;; i++) {
		const char *key = arena_printf(a, "hosts[%zu]", i);
		const char *host = flat_get(v, n, "gateways", row, key, NULL);
		if (!host)
			return all;
		if (all)
			all = arena_printf(a, "%s %s", all, host);
		else
			all = host;
	}
}

static struct fact fact_of(const struct flat_entry *v, size_t n, size_t row, struct arena *a)
{
	uint32_t line = 0;
	const char *path = flat_get(v, n, "gateways", row, "path", &line);
	const char *to = flat_get(v, n, "gateways", row, "to", NULL);
	const char *scheme = strstr(to, "://"), *target = to;
	struct fact f = { .side = "forwards", .kind = "http", .method = "ANY", .path = path, .raw = to,
		.line = line, .end_line = line };

	if (scheme)
		target = scheme + 3;
	const char *new_path = target + strcspn(target, "/");
	f.host = arena_strn(a, target, (size_t)(new_path - target));
	if (*new_path && strcmp(new_path, path) != 0)
		f.to = new_path;
	f.at = public_hosts(v, n, row, a);
	return f;
}

size_t gateway_rules_to_facts(
    const struct flat_entry *v, size_t n, const char *framework, struct arena *a, struct fact **out)
{
	size_t rows = flat_count(v, n, "gateways");

	*out = arena_many(a, rows, struct fact);
	for (size_t i = 0; i < rows; i++) {
		(*out)[i] = fact_of(v, n, i, a);
		(*out)[i].framework = framework;
	}
	return rows;
}

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

size_t gateway_rules_to_facts(
    const struct flat_entry *v, size_t n, const char *framework, struct arena *a, struct fact **out)
{
	size_t rows = flat_count(v, n, "gateways");

	*out = arena_many(a, rows, struct fact);
	for (size_t i = 0; i < rows; i++) {
		uint32_t line = 0;
		const char *path = flat_get(v, n, "gateways", i, "path", &line),
		           *to = flat_get(v, n, "gateways", i, "to", NULL);
		const char *scheme = strstr(to, "://"), *target = scheme ? scheme + 3 : to, *host,
		           *at = NULL;
		size_t len = strcspn(target, "/");
		for (size_t k = 0;
		     (host = flat_get(v, n, "gateways", i, arena_printf(a, "hosts[%zu]", k), NULL)); k++)
			at = arena_printf(a, "%s%s%s", at ? at : "", at ? " " : "", host);
		(*out)[i] = (struct fact){ .side = "forwards", .kind = "http", .method = "ANY",
		    .path = path, .raw = to,
			.host = arena_strn(a, target, len), .to = target[len] && strcmp(target + len, path) ?
			    target + len : NULL,
			.at = at, .framework = framework, .line = line, .end_line = line };
	}
	return rows;
}

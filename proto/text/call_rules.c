#include "proto/text/call_rules.h"

#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

static struct fact fact_of(const struct flat_entry *v, size_t n, const char *list, size_t row)
{
	struct fact f = { .kind = "http", .side = "consumes" };
	uint32_t line = 0;

	f.host = flat_get(v, n, list, row, "to", &line);
	f.path = text_or(flat_get(v, n, list, row, "path", &line), "/{*}");
	f.method = text_or(flat_get(v, n, list, row, "method", NULL), "ANY");
	f.symbol = flat_get(v, n, list, row, "from", NULL);
	f.at = flat_get(v, n, list, row, "host", NULL);
	f.line = f.end_line = line;
	return f;
}

size_t call_rules_to_facts(
    const struct flat_entry *v, size_t n, const char *framework, struct arena *a, struct fact **out)
{
	size_t links = flat_count(v, n, "links"), nots = flat_count(v, n, "not");

	*out = arena_many(a, links + nots, struct fact);
	for (size_t i = 0; i < links; i++)
		(*out)[i] = fact_of(v, n, "links", i);
	for (size_t i = 0; i < nots; i++) {
		(*out)[links + i] = fact_of(v, n, "not", i);
		(*out)[links + i].side = "denies";
	}
	for (size_t i = 0; i < links + nots; i++)
		(*out)[i].framework = framework;
	return links + nots;
}

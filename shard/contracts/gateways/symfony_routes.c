/*
 * Routes with their controllers in YAML: Symfony's config/routes.yaml, config/routes/NAME.yaml,
 * Resources/config/routing.yml.
 */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"
#include "shard/contracts/paths/url_path.h"

enum { MOST = 2000, MOST_VERBS = 8 };

/* App\Controller\BlogController::list, also with one colon, is BlogController.list. */
static const char *symbol_of(const char *controller, struct arena *a)
{
	const char *end = controller + strcspn(controller, ":"), *from = end;
	const char *method = "__invoke";	/* of a class alone */

	if (*end)
		method = end + strspn(end, ":");
	while (from > controller && from[-1] != '\\')
		from--;
	return arena_printf(a, "%.*s.%s", (int)(end - from), from, method);
}

static void put(struct gateway_config *g, const char *method, const char *path, const char *symbol,
    const struct setting *s)
{
	if (g->out->n >= MOST)
		return;
	g->out->v = grow(g->out->v, &g->out->cap, g->out->n + 1, sizeof *g->out->v);
	g->out->v[g->out->n++] = (struct fact){ .side = "provides", .kind = "http", .method = method,
	    .path = path, .raw = s->value,
		.framework = g->form, .line = s->line, .end_line = s->line, .symbol = symbol };
}

/* methods: [GET, POST], methods: GET|POST; how many there are. */
static size_t verbs_of(
    const struct gateway_config *g, const char *base, const char *out[MOST_VERBS])
{
	const char *one = gateway_get(g, "%s.methods", base);
	size_t n = 0;

	if (one)
		return gateway_split_list(g->a, one, "|,", out, MOST_VERBS);
	while (n < MOST_VERBS) {
		out[n] = gateway_get(g, "%s.methods[%zu]", base, n);
		if (!out[n])
			break;
		n++;
	}
	return n;
}

void routes_symfony(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *controller = gateway_get(g, "%s.controller", base), *verb[MOST_VERBS];

	if (!controller)
		controller = gateway_get(g, "%s.defaults._controller", base);
	if (!controller || (!strstr(g->path, "config/rout") && !strstr(g->path, "routing")))
		return;
	const char *path = url_path(
	               arena_printf(g->a, "/%s", s->value + (*s->value == '/')), true, g->a),
	           *symbol = symbol_of(controller, g->a);
	size_t n = verbs_of(g, base, verb);
	if (!n)
		put(g, "ANY", path, symbol, s);
	for (size_t i = 0; i < n; i++)
		put(g, verb[i], path, symbol, s);
}

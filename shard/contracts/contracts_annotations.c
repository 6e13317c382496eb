#include "shard/contracts/contracts_internal.h"

#include "shard/contracts/urls/other_files.h"

/* Annotations that a repository composes of those of a framework: their types say what a site is. */

enum { MAX_EACH = 10 };

/* Add the methods that a match at the annotation's type gives. */
static void add_methods(struct fact_builder *c, struct contract_file *in,
    const struct framework_match *p, struct contract_site *s)
{
	TSNode each[MAX_EACH] = { p->node[ROLE_METHOD] };
	size_t n = url_elements(in->t, p->node[ROLE_METHOD], each, MAX_EACH);

	if (!n)
		each[n++] = p->node[ROLE_METHOD];
	for (size_t i = 0; i < n; i++) {
		const char *verb = verb_in(node_raw(in->t, each[i], c->a));
		if (!verb)
			verb = verb_in(expression_text(&c->ask, (struct expression){ in, each[i], NULL }));
		if (verb && s->nmethods < MAX_VERBS)
			s->method[s->nmethods++].verb = verb;
	}
}

bool annotation_add(
    struct fact_builder *c, const struct framework_match *site, struct contract_site *s)
{
	struct framework_type type;
	int own = s->npaths;
	bool any = false;

	if (!type_resolve(c, c->in, site->node[ROLE_CLASS], &type))
		return false;
	for (size_t i = 0; i < type.spots->n; i++) {
		const struct framework_match *p = &type.spots->v[i];
		if (has(p, ROLE_SITE) || !scope_is_type(type.in, p, type.d))
			continue;
		if (has(p, ROLE_METHOD))
			add_methods(c, type.in, p, s);
		any |= has(p, ROLE_METHOD);
		if (prefixed(p) && !own && s->npaths < MAX_PATHS)
			s->path[s->npaths++] = (struct path_part){
				.prefix = framework_match_prefix(&c->ask, type.in, p, NULL), .style = s->style
			};
	}
	return any && s->nmethods;
}

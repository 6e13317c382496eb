#include "shard/contracts/contracts_internal.h"

#include "proto/base/minmax.h"

/*
 * The file that defines the class of a handler of `in`, or `in` itself; `*name`: the class's name.
 */
static struct contract_file *class_of(
    struct fact_builder *c, struct contract_file *in, TSNode handler, const char **name)
{
	struct origin o = origin_of(&c->ask, (struct expression){ in, handler, NULL });
	const char *text = node_raw(in->t, handler, c->a), *dot = strrchr(text, '.');
	struct framework_type type;

	if (o.what == ORIGIN_DEFINITION) {
		*name = o.at.in->found->v[o.definition].def.name;
		return o.at.in;
	}
	*name = text;
	if (dot)
		*name = dot + 1;
	if (type_resolve(c, in, handler, "", &type))
		return type.in;
	return in;
}

/* Whether the last part of a dotted name is `name`. */
static bool class_is(const struct syntax_tree *t, TSNode n, const char *name)
{
	size_t len = strlen(name), have = node_len(n);
	const char *s = t->text + node_start_byte(n);

	return have >= len && !memcmp(s + have - len, name, len) &&
	    (have == len || s[have - len - 1] == '.');
}

/* A class that handles requests, and the classes that refer to it. */
struct visited_class {
	struct contract_file *in;
	const char *name;
	const struct visited_class *from;	/* NULL: the site's own class */
	int depth;
};

static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out);

/* Whether the class was visited already: resources may return themselves. */
static bool class_visited(
    const struct visited_class *of, const struct contract_file *in, const char *name)
{
	for (; of; of = of->from)
		if (of->in == in && !strcmp(of->name, name))
			return true;
	return false;
}

/* The facts of one site of a class, or of the class that handles the site. */
static void make_answer(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct contract_site *answer, const struct visited_class *of, struct site_fact_list *out)
{
	const char *above = way->below;
	bool has_class = answer->answers && !ts_node_is_null(answer->handler);

	for (int k = 0; k < MAX(answer->npaths, 1); k++) {
		const char *own = "", *name = NULL;
		struct contract_file *in = NULL;
		if (answer->npaths)
			own = path_part_text(&c->ask, of->in, &answer->path[k], NULL);
		if (!own)
			own = "";
		way->below = path_join(c->a, above, own);
		way->answer = answer;
		way->in = of->in;
		if (has_class)
			in = class_of(c, of->in, answer->handler, &name);
		struct visited_class next = { in, name, of, of->depth + 1 };
		if (!in)
			site_path_facts(c, s, w, prefixes, way, out);
		else if (!class_visited(of, in, name))
			class_answers(c, s, w, prefixes, way, &next, out);
	}
	way->answer = NULL;
	way->below = above;
}

/* What the framework's queries find in the file of a class, or NULL. */
static struct framework_matches *class_matches(
    struct fact_builder *c, const struct visited_class *of)
{
	const struct framework *fw = framework_in_file(of->in, c->fw);

	if (!fw || of->depth >= MAX_BASES)
		return NULL;
	return framework_find_matches(of->in, fw);
}

/* The facts of each site of a class or of its bases; false: it has none. */
static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out)
{
	struct contract_file *in = of->in;
	struct framework_matches *spots = class_matches(c, of);
	const struct definition *d = type_named(in, of->name);
	bool found = false;

	for (size_t i = 0; spots && i < spots->n; i++) {
		const struct framework_match *p = &spots->v[i];
		struct contract_site a = { .node = p->node[ROLE_SITE] };
		struct framework_type base;
		if (!has(p, ROLE_CLASS))
			continue;
		if (!has(p, ROLE_SITE)) {
			if (!d || !scope_is_type(in, p, d) || !type_base(c, in, p, &base))
				continue;
			struct visited_class above = { base.in, base.d->name, of, of->depth + 1 };
			found |= class_answers(c, s, w, prefixes, way, &above, out);
			continue;
		}
		if (site_composed(spots, i) || !class_is(in->t, p->node[ROLE_CLASS], of->name))
			continue;
		site_read(in, spots, i, &a);
		make_answer(c, s, w, prefixes, way, &a, of, out);
		found = true;
	}
	return found;
}

bool site_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out)
{
	struct visited_class of = { 0 };

	if (ts_node_is_null(s->handler))
		return false;
	of.in = class_of(c, c->in, s->handler, &of.name);
	return class_answers(c, s, w, prefixes, way, &of, out);
}

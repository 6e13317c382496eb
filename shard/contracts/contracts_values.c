/* Sites that call a method of a client as a value: `send(requests.post, path)`. */
#include "shard/contracts/contracts_internal.h"

#include "shard/contracts/urls/dataflow.h"

/* Whether one of the words, separated by blanks, is the name. */
static bool has_word(const char *words, const char *name, size_t n)
{
	for (size_t len; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		if (len == n && !memcmp(words, name, n))
			return true;
	}
	return false;
}

bool site_method_value(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct method_value *out)
{
	struct url_steps *steps = c->ask.steps;

	c->ask.steps = NULL;	/* how the function got here is not part of the path */
	bool found = method_value_of(&c->ask, (struct expression){ c->in, s->object, given }, out);
	c->ask.steps = steps;
	c->ask.unknown |= out->parameter;
	if (!found)
		return false;
	const char *name = out->name.in->t->text + node_start_byte(out->name.n);
	if (*s->passed)
		return out->word && has_word(s->passed, name, node_len(out->name.n));
	if (!out->word)
		return true;
	return verb_in(node_raw(out->name.in->t, out->name.n, c->a)) != NULL;
}

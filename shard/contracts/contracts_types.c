#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/* ---- what types have from those that they are derived from ---- */

const struct definition *type_around(const struct reading *in, TSNode n)
{
	const struct definition *best = NULL;

	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->start_byte > node_from(n))
			break;
		if (node_to(n) <= d->end_byte && (!strcmp(d->kind, "class") || !strcmp(d->kind, "interface")))
			best = d;
	}
	return best;
}

bool scope_is(const struct reading *in, const struct spot *p, const struct definition *d)
{
	return has(p, ROLE_SCOPE) && node_from(p->node[ROLE_SCOPE]) <= d->start_byte && d->end_byte <= node_to(p->node[ROLE_SCOPE]) &&
	    type_around(in, p->node[ROLE_SCOPE]) == d;
}

bool type_abstract(const struct reading *in, const struct definition *d)
{
	const char *from = in->t->text + d->start_byte, *word, *end;

	if (!strcmp(d->kind, "interface"))
		return true;
	end = memmem(from, d->end_byte - d->start_byte, "class ", 6);
	word = end ? memmem(from, (size_t)(end - from), "abstract ", 9) : NULL;
	return word != NULL;
}

const struct definition *type_named(const struct reading *in, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (!strcmp(d->name, name) && (!strcmp(d->kind, "class") || !strcmp(d->kind, "interface")))
			return d;
	}
	return NULL;
}

bool type_meant(struct compose *c, struct reading *in, TSNode n, struct kin *out)
{
	const char *name = arena_strn(c->a, in->t->text + node_from(n), node_len(n));
	const struct sym *sym;
	const struct framework *fw;
	struct file *f;

	*out = (struct kin){ in, NULL, type_named(in, name) };
	if (!out->d) {
		c->open = true;
		if (!c->ask.join || !in->file || join_name(c->ask.join, in, n, name, &sym, &f) != 1)
			return false;
		out->in = join_read(c->ask.join, f);
		if (!out->in || sym->index < 0 || (size_t)sym->index >= out->in->found->n)
			return false;
		out->d = &out->in->found->v[sym->index].def;
	}
	fw = framework_there(out->in, c->fw);
	out->spots = fw ? reading_spots(out->in, fw) : NULL;
	return out->spots != NULL;
}

bool type_base(struct compose *c, struct reading *in, const struct spot *p, struct kin *out)
{
	return type_meant(c, in, p->node[ROLE_CLASS], out);
}

bool type_prefixes(struct compose *c, const struct kin *t, int depth, struct prefixes *out)
{
	bool any = false;

	for (size_t i = 0; i < t->spots->n; i++)
		if (prefixed(&t->spots->v[i]) && !has(&t->spots->v[i], ROLE_SITE) && scope_is(t->in, &t->spots->v[i], t->d)) {
			prefixes_add(out, spot_prefix(&c->ask, t->in, &t->spots->v[i]));
			any = true;
		}
	for (size_t i = 0; i < t->spots->n && !any && depth < MAX_BASES; i++) {
		const struct spot *p = &t->spots->v[i];
		struct kin base;
		if (has(p, ROLE_CLASS) && !has(p, ROLE_SITE) && scope_is(t->in, p, t->d) && type_base(c, t->in, p, &base))
			any = type_prefixes(c, &base, depth + 1, out);
	}
	return any;
}

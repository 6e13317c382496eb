#include "shard/definitions/definitions_internal.h"

#include "proto/base/buf.h"
#include "shard/definitions/declaration_head.h"

const struct walk_frame *frames_find_naming(const struct definition_walk *w)
{
	for (size_t i = w->nframes; i--;) {
		const struct walk_frame *f = &w->frame[i];
		if (f->owner || (f->def >= 0 && !w->out->v[f->def].flat))
			return f;
	}
	return NULL;
}

bool frames_are_in(const struct definition_walk *w, const char *kinds)
{
	const struct walk_frame *f = frames_find_naming(w);

	return f && f->def >= 0 && type_in_list(w->out->v[f->def].def.kind, kinds);
}

bool frames_hidden(const struct definition_walk *w)
{
	const struct walk_frame *f = frames_find_naming(w);
	const struct section *s = NULL;

	if (w->sections.n)
		s = &w->sections.v[w->sections.n - 1];
	if (w->nframes && frames_top(w)->hidden)
		return true;
	if (s && (!f || s->depth > f->depth))
		return head_is_hidden(w->t->rules, "", w->t->text + s->from, s->to - s->from);
	return f && f->members && head_is_hidden(w->t->rules, "", f->members, strlen(f->members));
}

int frames_definition(const struct definition_walk *w)
{
	for (size_t i = w->nframes; i--;)
		if (w->frame[i].def >= 0)
			return w->frame[i].def;
	return -1;
}

const char *frames_prefix(const struct definition_walk *w, bool *in_type)
{
	const struct walk_frame *f = frames_find_naming(w);

	*in_type = f && (f->owner || is_type(w->out->v[f->def].def.kind));
	if (!f)
		return NULL;
	if (f->owner)
		return f->owner;
	return w->out->v[f->def].def.qualified;
}

/* Whether the walk is at the function that is the value of the definition around it. */
static bool is_function_value(const struct definition_walk *w)
{
	const struct walk_frame *f = frames_top(w);

	return f && f->local && f->def >= 0 && f->depth + 1 == w->depth;
}

void frames_push(struct definition_walk *w, TSNode n, const struct node_rule *rule, int def,
    bool local, bool wrap)
{
	struct walk_position p = frames_position(w);
	bool hidden = w->nframes && frames_top(w)->hidden;

	if (def >= 0) {
		p.definition = def;
		if (local) {
			p.function = def;
			p.doc = w->out->v[def].def.doc;
		}
		if (is_type(w->out->v[def].def.kind))
			p.type = def;
	}
	if (local)	/* a function that is assigned to a name is not a second function */
		p.direct = def >= 0 || is_function_value(w);
	p.local = p.local || local;
	w->frame = grow(w->frame, &w->cap, w->nframes + 1, sizeof *w->frame);
	w->frame[w->nframes++] = (struct walk_frame){
		.depth = w->depth,
		.node = n,
		.rule = rule,
		.def = def,
		.local = local,
		.wrap = wrap,
		.hidden = hidden,
		.place = p,
	};
	if (local)
		references_open_scope(w->uses, w->depth);
}

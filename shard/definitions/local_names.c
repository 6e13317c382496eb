#include "shard/definitions/local_names.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"

/* The state of a name before a scope declared it. */
struct shadowed_name {
	uint32_t name, scope;
	enum local_visibility visible;
};

struct scopes {
	struct arena *arena;
	struct interned_name *name;
	size_t n, cap;
	uint32_t *slot;			/* 1 + index of a name; a power of two of them */
	size_t nslots;
	struct { uint32_t depth; size_t undo; } *open;
	size_t nopen, open_cap;
	struct shadowed_name *undo;
	size_t nundo, undo_cap;
};

struct scopes *scopes_new(void)
{
	struct scopes *s = xcalloc(1, sizeof *s);

	s->nslots = 1024;
	s->slot = xcalloc(s->nslots, sizeof *s->slot);
	return s;
}

void scopes_free(struct scopes *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->slot);
	free(s->open);
	free(s->undo);
	free(s);
}

void scopes_reset(struct scopes *s, struct arena *a)
{
	s->arena = a;
	if (s->n)
		memset(s->slot, 0, s->nslots * sizeof *s->slot);
	s->n = s->nopen = s->nundo = 0;
}

static uint32_t hash(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 15;
}

/* The slot of a name, or the empty one where it belongs. */
static uint32_t *slot_of(struct scopes *s, uint32_t h, const char *text, size_t n)
{
	for (size_t i = h & (s->nslots - 1);; i = (i + 1) & (s->nslots - 1)) {
		const struct interned_name *e = NULL;
		if (s->slot[i])
			e = &s->name[s->slot[i] - 1];
		if (!e || (e->hash == h && e->n == n && !memcmp(e->text, text, n)))
			return &s->slot[i];
	}
}

static void rehash(struct scopes *s)
{
	free(s->slot);
	s->nslots *= 2;
	s->slot = xcalloc(s->nslots, sizeof *s->slot);
	for (size_t i = 0; i < s->n; i++)
		*slot_of(s, s->name[i].hash, s->name[i].text, s->name[i].n) = (uint32_t)i + 1;
}

struct interned_name *scopes_name(struct scopes *s, const char *text, size_t n)
{
	uint32_t h = hash(text, n), *slot = slot_of(s, h, text, n);

	if (*slot)
		return &s->name[*slot - 1];
	s->name = grow(s->name, &s->cap, s->n + 1, sizeof *s->name);
	s->name[s->n++] = (struct interned_name){
		.text = arena_strn(s->arena, text, n),
		.n = (uint32_t)n,
		.hash = h,
	};
	*slot = (uint32_t)s->n;
	if (s->n * 2 > s->nslots)
		rehash(s);
	return &s->name[s->n - 1];
}

void scopes_open(struct scopes *s, uint32_t depth)
{
	s->open = grow(s->open, &s->open_cap, s->nopen + 1, sizeof *s->open);
	s->open[s->nopen].depth = depth;
	s->open[s->nopen++].undo = s->nundo;
}

void scopes_close(struct scopes *s, uint32_t depth)
{
	for (; s->nopen && s->open[s->nopen - 1].depth >= depth; s->nopen--)
		while (s->nundo > s->open[s->nopen - 1].undo) {
			const struct shadowed_name *u = &s->undo[--s->nundo];
			s->name[u->name].visible = u->visible;
			s->name[u->name].scope = u->scope;
		}
}

void scopes_declare(struct scopes *s, const char *text, size_t n, bool known)
{
	struct interned_name *e = scopes_name(s, text, n);

	if (e->visible && e->scope == s->nopen) {
		if (known)
			e->visible = LOCAL_KNOWN;
		return;
	}
	s->undo = grow(s->undo, &s->undo_cap, s->nundo + 1, sizeof *s->undo);
	s->undo[s->nundo++] = (struct shadowed_name){
		.name = (uint32_t)(e - s->name),
		.scope = e->scope,
		.visible = e->visible,
	};
	e->visible = LOCAL_UNKNOWN;
	if (known)
		e->visible = LOCAL_KNOWN;
	e->scope = (uint32_t)s->nopen;
}

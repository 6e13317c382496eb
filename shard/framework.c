#include "shard/framework.h"

#include "proto/base/arena.h"
#include "proto/base/embedded.h"
#include "proto/base/err.h"
#include "shard/rules.h"

const char *const roles[NROLES] = { "site", "path", "method", "handler", "prefix", "scope", "bind", "object" };

/* The value of `key:` in a framework's header, or NULL. */
static const char *header(const char *text, size_t n, const char *key)
{
	const char *at = memmem(text, n, key, strlen(key));

	return at ? at + strlen(key) + strspn(at + strlen(key), " ") : NULL;
}

static const char *word(struct arena *a, const char *s, const char *ends)
{
	return arena_strn(a, s, strcspn(s, ends));
}

/* `; framework: NAME   needs: "TEXT" "TEXT"   emits: KIND.SIDE   only: FOLDER` */
static int header_read(struct framework *f, const char *file, const char *text, struct arena *a, struct err *e)
{
	size_t n = strcspn(text, "\n"), count = 0;
	const char *name = header(text, n, "framework:"), *emits = header(text, n, "emits:");
	const char *needs = header(text, n, "needs:"), *only = header(text, n, "only:");

	if (*text != ';' || !name || !emits || !strchr(word(a, emits, " \n"), '.'))
		return err_set(e, ERR_INTERNAL, "%s:1: not `; framework: NAME   needs: \"TEXT\"   emits: KIND.SIDE`", file);
	f->name = word(a, name, " \n");
	f->only = only ? word(a, only, " \n") : NULL;
	f->kind = word(a, emits, ".");
	f->side = word(a, strchr(emits, '.') + 1, " \n");
	for (; needs && *needs == '"' && count < FRAMEWORK_NEEDS; needs += strspn(needs, " ")) {
		f->needs[count] = word(a, needs + 1, "\"\n");
		needs += strlen(f->needs[count++]) + 2;
	}
	return 0;
}

static int roles_check(const struct query *q, const char *file, struct err *e)
{
	const char *name;

	for (uint32_t i = 0; (name = query_capture(q, i)); i++) {
		bool found = *name == '_';
		for (size_t k = 0; k < NROLES; k++)
			found |= !strcmp(roles[k], name);
		if (!found)
			return err_set(e, ERR_INTERNAL, "%s: no such capture: @%s", file, name);
	}
	return 0;
}

static int load(const struct rules *r, struct arena *a, struct framework **first, const struct embedded *file,
    struct err *e)
{
	struct framework *f = arena_one(a, struct framework), **at = first;

	while (*at)
		at = &(*at)->next;
	if (header_read(f, file->name, file->p, a, e))
		return -1;
	if (f->only && strcmp(f->only, r->folders.v[0]))
		return 0;
	*at = f;
	for (struct framework *o = *first; o != f; o = o->next)
		f->again |= framework_twins(o, f);
	f->file = file;
	f->grammar = r->grammar;
	return 0;
}

int framework_compile(struct framework *f, struct err *e)
{
	if (f->query || f->broken)
		return f->broken ? -1 : 0;
	f->query = query_new(f->grammar, f->file->name, f->file->p, e);
	f->broken = !f->query || roles_check(f->query, f->file->name, e);
	return f->broken ? -1 : 0;
}

int frameworks_load(const struct rules *r, struct arena *a, struct framework **first, struct err *e)
{
	for (size_t i = 0; i < r->folders.n; i++) {
		const char *prefix = arena_printf(a, "shard/lang/%s/routes/", r->folders.v[i]);
		for (const struct embedded *f = embedded_files; f->name; f++)
			if (!strncmp(f->name, prefix, strlen(prefix)) && load(r, a, first, f, e))
				return -1;
	}
	return 0;
}

bool framework_twins(const struct framework *a, const struct framework *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->side, b->side);
}

/* Whether the file holds the text; a `'` at its end stands for any quote. */
static bool holds(const struct tree *t, const char *text)
{
	const char *end = t->text + t->n;
	size_t n = strcspn(text, "'");

	for (const char *s = t->text; (s = memmem(s, (size_t)(end - s), text, n)); s++)
		if (!text[n] || (s + n < end && (s[n] == '\'' || s[n] == '"')))
			return true;
	return false;
}

bool framework_needed(const struct framework *f, const struct tree *t)
{
	for (size_t i = 0; i < FRAMEWORK_NEEDS && f->needs[i]; i++)
		if (holds(t, f->needs[i]))
			return true;
	return !f->needs[0];
}

#include "coordinator/auth/path_privacy.h"

#include <string.h>

#include "coordinator/auth/caller.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"

static const char ends[] = " \t\n\"'`,;:()<>|";	/* what paths are set off by */

bool paths_visible(const struct caller *c)
{
	return c->everything && !c->read_only;
}

/*
 * Whether the slash at `p` begins a path of a machine: alone, or behind file:// or ipc://, not
 * within a word or another URL.
 */
static bool begins(const char *text, const char *p)
{
	size_t before = (size_t)(p - text);

	if (!before || strchr(ends, p[-1]) || strchr("=[{", p[-1]))
		return p[1] && p[1] != '/' && !strchr(ends, p[1]);
	return (before >= 7 && !memcmp(p - 7, "file://", 7)) ||
	    (before >= 6 && !memcmp(p - 6, "ipc://", 6));
}

static size_t length(const char *path)
{
	size_t n = strcspn(path, ends);

	while (path[n - 1] == '.')	/* of the sentence */
		n--;
	return n;
}

const char *paths_redact(const char *text, struct arena *a)
{
	struct buf out = { 0 };
	const char *from = text;

	for (const char *p = strchr(text, '/'); p; p = strchr(p + 1, '/')) {
		if (!begins(text, p))
			continue;
		size_t n = length(p);
		const char *name = memrchr(p, '/', n > 1 ? n - 1 : 1);
		buf_put(&out, from, (size_t)(p - from));
		buf_str(&out, "…");
		buf_put(&out, name, n - (size_t)(name - p));
		from = p + n;
		p = from - 1;
	}
	if (!out.n)
		return text;
	buf_str(&out, from);
	text = arena_strn(a, out.p, out.n);
	buf_free(&out);
	return text;
}

static void hide_strs(struct strs *s, struct arena *a)
{
	const char **v = arena_many(a, s->n, const char *);

	for (size_t i = 0; i < s->n; i++)
		v[i] = paths_redact(s->v[i], a);
	s->v = v;
}

static void hide_field(const struct field *f, void *at, struct arena *a)
{
	const char **text = at;

	if (f->type == T_str && *text)
		*text = paths_redact(*text, a);
	else if (f->type == T_strs)
		hide_strs(at, a);
}

void paths_redact_record(const struct record *r, void *v, struct arena *a)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		void *at = (char *)v + f->off;
		struct any_list *list = at;
		if (f->rule.has_paths)
			hide_field(f, at, a);
		else if (f->type == T_sub && *(void **)at)
			paths_redact_record(f->of, *(void **)at, a);
		for (size_t k = 0; f->type == T_list && k < list->n; k++)
			paths_redact_record(f->of, (char *)list->v + k * f->of->size, a);
	}
}

#include "coordinator/auth/path_privacy.h"

#include <string.h>

#include "coordinator/auth/caller.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/record/record.h"

static const char ends[] = " \t\n\"'`,;:()<>|";	/* characters that delimit a path */

bool paths_visible(const struct caller *c)
{
	return c->everything && !c->read_only;
}

static bool follows(const char *text, const char *p, const char *prefix)
{
	size_t n = strlen(prefix);

	return (size_t)(p - text) >= n && !memcmp(p - n, prefix, n);
}

/*
 * Whether the slash at `p` begins an absolute path: alone, or after file:// or ipc://, but not
 * within a word or another URL.
 */
static bool is_path_start(const char *text, const char *p)
{
	if (p == text || strchr(ends, p[-1]) || strchr("=[{", p[-1]))
		return p[1] && p[1] != '/' && !strchr(ends, p[1]);
	return follows(text, p, "file://") || follows(text, p, "ipc://");
}

static size_t path_length(const char *path)
{
	size_t n = strcspn(path, ends);

	while (path[n - 1] == '.')	/* the end of a sentence */
		n--;
	return n;
}

const char *paths_redact(const char *text, struct arena *a)
{
	struct buf out = { 0 };
	const char *from = text;

	for (const char *p = strchr(text, '/'); p; p = strchr(p + 1, '/')) {
		if (!is_path_start(text, p))
			continue;
		size_t n = path_length(p);
		const char *name = memrchr(p, '/', MAX(n, 2) - 1);
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
		if (f->type != T_list)
			continue;
		for (size_t k = 0; k < list->n; k++)
			paths_redact_record(f->of, (char *)list->v + k * f->of->size, a);
	}
}

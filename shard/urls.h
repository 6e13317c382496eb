#ifndef SHARD_URLS_H
#define SHARD_URLS_H
/*
 * From an expression that makes a URL to the template of that URL: literals, templates, concatenations, format
 * functions and names of the same file are followed; what cannot be known stays a hole, `{}`.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/tree.h"

struct buf;
struct step;

struct url_steps {
	struct step *v;
	size_t n, cap;		/* from grow(): the caller frees v */
};

/* Append the text of the expression, with `{}` for what is unknown.  Names that were followed become steps. */
void url_text(const struct tree *, TSNode, struct buf *out, struct url_steps *);

/*
 * The template of a path: `:id`, `{id}`, `{id:regex}`, `<int:id>` become `{}`, a rest `*` or `{path...}` at the end
 * `{*}`; one slash before, none after; `route` says that it is a pattern, where `:` and `?` mean parameters, not text.
 */
const char *url_path(const char *text, bool route, struct arena *);

/* Part a URL: `*host` (NULL: none in it) and `*path`, a template.  False: nothing of the path is known; it is `{}`. */
bool url_split(const char *text, struct arena *, const char **host, const char **path);
#endif

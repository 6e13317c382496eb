#ifndef SHARD_CONTRACTS_URLS_URL_EVALUATOR_H
#define SHARD_CONTRACTS_URLS_URL_EVALUATOR_H
/*
 * From an expression that makes a URL to the template of that URL: literals, templates,
 * concatenations, format functions, settings and names are followed, as far as dataflow.h leads;
 * what cannot be known stays a hole, `{}`.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/contracts/urls/dataflow.h"

struct buf;
struct step;

struct url_steps {
	struct step *v;
	size_t n, cap;		/* from grow(): the caller frees v */
};

/* A hole that a caller of the function around the site fills. */
#define URL_PARAMETER "{\1}"

/*
 * Append the text of the expression, with `{}` for what is unknown.  What was followed becomes
 * steps of the asking.
 */
void url_text(struct dataflow_context *, struct expression, struct buf *out);

/* The value of a setting of the module that the reading is of; NULL: there is none. */
const char *url_setting(struct dataflow_context *, const struct contract_file *, const char *key);

/* Whether the host of a URL is this machine, or unknown. */
bool url_is_local(const char *url);

/* Note a step: a value that stands elsewhere; the same one once. */
void url_add_step(struct dataflow_context *, const char *path, uint32_t line, const char *text);

/* What a name of this file is given as its value, once; NULL: not known. */
const struct binding *url_binding(const struct syntax_tree *, TSNode name);

/*
 * The arguments of a call that merges the objects it is given; a null node: it does something
 * else.
 */
TSNode url_merge_arguments(const struct syntax_tree *, TSNode call);

/*
 * The elements of a list, or of the one that a name stands for, at most `cap`.  Their number; 0:
 * it is none.
 */
size_t url_elements(const struct syntax_tree *, TSNode, TSNode *out, size_t cap);

/* Whether it is an object with keys of this file, and so no URL. */
bool url_is_object(const struct syntax_tree *, TSNode);

/*
 * The template of a path: `:id`, `{id}`, `{id:regex}`, `<int:id>` become `{}`, a rest `*` or
 * `{path...}` at the end `{*}`; one slash before, none after; `route` says that it is a pattern,
 * where `:` and `?` mean parameters, not text.
 */
const char *url_path(const char *text, bool route, struct arena *);

/*
 * Part a URL: `*host` (NULL: none in it) and `*path`, a template.  False: nothing of the path is
 * known; it is `{}`.
 */
bool url_split(const char *text, struct arena *, const char **host, const char **path);
#endif

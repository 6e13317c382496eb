#ifndef SHARD_CONTRACTS_URLS_URL_EVALUATOR_H
#define SHARD_CONTRACTS_URLS_URL_EVALUATOR_H
/*
 * Evaluates an expression that makes a URL to the template of that URL.  Follows literals,
 * templates, concatenations, format functions, settings and names, as far as dataflow.h leads.
 * Unknown parts become holes, `{}`.
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
 * Append the text of the expression, with `{}` for unknown parts.  The values that were followed
 * become steps of the context.
 */
void url_text(struct dataflow_context *, struct expression, struct buf *out);

/* The value of a setting of the file's module; NULL if there is none. */
const char *url_setting(struct dataflow_context *, const struct contract_file *, const char *key);

/* The verb of a constant that no code here defines: http.MethodGet, HttpMethod.Post, METH_PUT; or NULL. */
const char *verb_constant(const char *dotted_name);

/* Whether the host of a URL is this machine, or unknown. */
bool url_is_local(const char *url);

/* Add the steps, once for each line; `to` may be NULL. */
void url_steps_add(struct url_steps *to, const struct url_steps *);

/* Add a step, a value in another place, once. */
void url_add_step(struct dataflow_context *, const char *path, uint32_t line, const char *text);

/*
 * The only binding of a name of this file, of `this.x`, `self.x` and `Type.X` that of the last
 * part; NULL if it is unknown.
 */
const struct binding *url_binding(const struct syntax_tree *, TSNode name);

/* The arguments of a call that merges objects; a null node: the call does something else. */
TSNode url_merge_arguments(const struct syntax_tree *, TSNode call);

/* The elements of a list or of the list that a name means, `cap` at most; returns how many. */
size_t url_elements(const struct syntax_tree *, TSNode, TSNode *out, size_t cap);

/* Whether the node is an object literal of this file, and so no URL. */
bool url_is_object(const struct syntax_tree *, TSNode);

/* ---- object_fields.c ---- */

/*
 * The value of one of `keys` (separated by blanks) in the object that `n` means.  Follows names,
 * casts, spreads and merged objects of the same file; the last value counts.  A null node: there is
 * no such key, or the object is unknown.
 */
TSNode object_field(const struct syntax_tree *, TSNode n, const char *keys);

/* The value of `object.key` in an object of this file; a null node if it is unknown. */
TSNode object_member(const struct syntax_tree *, TSNode);
#endif

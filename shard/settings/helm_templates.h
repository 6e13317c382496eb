#ifndef SHARD_SETTINGS_HELM_TEMPLATES_H
#define SHARD_SETTINGS_HELM_TEMPLATES_H
/*
 * Turns templates of Helm charts into YAML: template expressions become placeholders.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Whether a file is a template of a chart, by its path and its text. */
bool helm_is_template(const char *path, const char *text, size_t n);

/*
 * The template as YAML with the same line numbers, in the arena; *out_n is its length.  `{{
 * .Values.users.url | quote }}` becomes `${Values.users.url}`, with `default "x"`
 * `${Values.users.url:x}`.  Other expressions become `${-}`, a name that no setting has.  Lines
 * that begin with an expression become empty.
 */
const char *helm_to_yaml(const char *text, size_t n, struct arena *, size_t *out_n);
#endif

#ifndef SHARD_SETTINGS_HELM_TEMPLATES_H
#define SHARD_SETTINGS_HELM_TEMPLATES_H
/*
 * Templates of Helm charts as far as they are YAML: what stands between their marks becomes
 * placeholders.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Whether a file is a template of a chart, by its path and its text. */
bool helm_is_template(const char *path, const char *text, size_t n);

/*
 * The template with the same lines: `{{ .Values.users.url | quote }}` is `${Values.users.url}`,
 * with `default "x"` `${Values.users.url:x}`, other expressions `${-}`, which nothing is called;
 * lines that begin with a mark are empty.  `*out_n`: its bytes.
 */
const char *helm_to_yaml(const char *text, size_t n, struct arena *, size_t *out_n);
#endif

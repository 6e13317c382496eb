#ifndef SHARD_SETTINGS_SETTINGS_INTERNAL_H
#define SHARD_SETTINGS_SETTINGS_INTERNAL_H
/*
 * The parts of settings: what is kept, and files of lines (settings), YAML and JSON
 * (settings_yaml).
 */

#include "proto/base/budget.h"
#include "proto/text/yaml_open.h"
#include "shard/settings/settings.h"

enum { SETTINGS_MAX_KEY = 200, SETTINGS_MAX_VALUE = 400, SETTINGS_MAX_COUNT = 5000 };

struct settings_reader {
	const char *path, *text, *end;
	struct arena *a;
	const char *service;
	bool unfiltered;			/* everything is kept, for who knows what it means */
	struct setting *v;
	size_t n, cap;
	/* of YAML: an alias stands for all that is in what it names, wherever it is used */
	struct budget budget;
};

/* Keep it, if it can be part of a URL and is no secret. */
void settings_put(struct settings_reader *, const char *key, size_t nkey, const char *value,
    size_t n, size_t line);

/* Each document of the file, as far as it can be read. */
void settings_yaml(struct settings_reader *,
    void (*each)(struct settings_reader *, yaml_document_t *, const yaml_node_t *));

/* Every scalar by its way from the root; elements by number: a.b, a[0]. */
void settings_flat(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/* Settings, or what deploys them: config.yaml is a ConfigMap's file, too. */
void settings_config(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/*
 * What a chart gives to its templates, `Values.users.url`, and variables of an environment among
 * it: keys, or {name:, value:} in lists.
 */
void settings_values(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/* Literals of which Kustomize makes a ConfigMap, NAME=VALUE. */
void settings_kustomization(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/* What a file of YAML deploys or configures, by its keys: services of compose, an object of Kubernetes, a program of Spring for which a
 * configuration server has the file. */
void settings_deployment(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);
#endif

#ifndef SHARD_SETTINGS_SETTINGS_INTERNAL_H
#define SHARD_SETTINGS_SETTINGS_INTERNAL_H
/*
 * Shared by settings.c (the filter, and files of lines) and settings_yaml.c (YAML and JSON).
 */

#include "proto/base/budget.h"
#include "proto/text/yaml_open.h"
#include "shard/settings/settings.h"

enum { SETTINGS_MAX_KEY = 200, SETTINGS_MAX_VALUE = 400, SETTINGS_MAX_COUNT = 5000 };

struct settings_reader {
	const char *path, *text, *end;
	struct arena *a;
	const char *service;
	bool unfiltered;			/* store all values, as for settings_each_document */
	struct setting *v;
	size_t n, cap;
	/* for YAML, where each use of an alias repeats everything that it names */
	struct budget budget;
};

/* Store it if it can be part of a URL and is not a secret. */
void settings_put(struct settings_reader *, const char *key, size_t nkey, const char *value,
    size_t n, size_t line);

/* Call `each` for every document of the file, up to the first error. */
void settings_yaml(struct settings_reader *,
    void (*each)(struct settings_reader *, yaml_document_t *, const yaml_node_t *));

/* Every scalar, keyed by its path from the root: a.b, a[0]. */
void settings_flat(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/* Settings, or an object of Kubernetes: a ConfigMap may be in a file config.yaml, too. */
void settings_config(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/*
 * The values of a chart, `Values.users.url`, and the environment variables among them: keys in
 * capitals, or {name:, value:} in lists.
 */
void settings_values(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/* The literals, NAME=VALUE, from which Kustomize generates a ConfigMap. */
void settings_kustomization(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);

/*
 * What a YAML file deploys or configures, recognised by its keys: services of compose, an object of
 * Kubernetes, or a Spring program that gets the file from a configuration server.
 */
void settings_deployment(struct settings_reader *, yaml_document_t *, const yaml_node_t *root);
#endif

#ifndef SHARD_CONTRACTS_GATEWAYS_GATEWAYS_INTERNAL_H
#define SHARD_CONTRACTS_GATEWAYS_GATEWAYS_INTERNAL_H
/* What the readers of gateways' configurations share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/contracts/gateways/path_rewrite.h"
#include "shard/facts/facts.h"
#include "shard/settings/settings.h"

/* One document of settings, or one text. */
struct gate {
	const char *path;		/* of the file */
	const char *form;		/* of its configuration: the fact's framework */
	const struct setting *v;	/* all that the document says, by its way from the root: a.b[0].c */
	size_t n;
	struct map *by_key;		/* of v, its place and one */
	struct arena *a;
	struct fact_list *out;
	struct budget *budget;		/* of the file; beyond, nothing more is put */
};

/* The value of a key; NULL: there is none, or it is empty. */
const char *gate_get(const struct gate *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Whether there is such a key, or one below it. */
bool gate_has(const struct gate *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * What a rule sends to a URL, a host with or without port, or `lb://name`; the URL's path is not looked at.  `raw`: as it is
 * written; NULL: so.  `at`: public hosts, or NULL.
 */
void gate_put(struct gate *, const struct forwards *, const char *target, const char *raw, const char *at, uint32_t line);

/* The path of a URL from its first slash on; "": it has none. */
const char *gate_url_path(const char *url);

/* A list of words with commas (or other bytes of `ends`) between, `max` at most, without blanks and quotes around. */
size_t gate_words(struct arena *, const char *list, const char *ends, const char **out, size_t max);

/* A reader of one rule.  `base`: the key without what the form says of its end; `s`: the setting that the form looks for. */
typedef void gate_reader(struct gate *, const char *base, const struct setting *s);

gate_reader gate_spring, gate_zuul, gate_zuul_short;
gate_reader gate_ingress, gate_http_route, gate_istio, gate_traefik, gate_traefik_route, gate_traefik_label;
gate_reader gate_envoy, gate_kong, gate_kong_flat, gate_ocelot, gate_yarp, gate_proxy_json, gate_proxy_word;

/* Readers of what sends a topic on to queues. */
gate_reader topics_cloudformation, topics_subscription, topics_resource, topics_google;

/* A reader of routes with their handlers. */
gate_reader routes_symfony;

/* The same for a text of nginx, which begins at a line. */
void gate_nginx(struct gate *, const char *text, size_t n, uint32_t line);
#endif

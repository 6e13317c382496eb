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
struct gateway_config {
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
const char *gateway_get(const struct gateway_config *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether there is such a key, or one below it. */
bool gateway_has(const struct gateway_config *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * What a rule sends to a URL, a host with or without port, or `lb://name`; the URL's path is not
 * looked at.  `raw`: as it is written; NULL: so.  `at`: public hosts, or NULL.
 */
void gateway_put(struct gateway_config *, const struct path_rewrites *, const char *target,
    const char *raw, const char *at, uint32_t line);

/* The path of a URL from its first slash on; "": it has none. */
const char *gateway_url_path(const char *url);

/*
 * A list of words with commas (or other bytes of `ends`) between, `max` at most, without blanks
 * and quotes around.
 */
size_t gateway_split_list(
    struct arena *, const char *list, const char *ends, const char **out, size_t max);

/*
 * A reader of one rule.  `base`: the key without what the form says of its end; `s`: the setting
 * that the form looks for.
 */
typedef void gateway_reader(struct gateway_config *, const char *base, const struct setting *s);

gateway_reader gateway_spring, gateway_zuul, gateway_zuul_short;
gateway_reader gateway_ingress, gateway_http_route, gateway_istio, gateway_traefik,
    gateway_traefik_route, gateway_traefik_label;
gateway_reader gateway_envoy, gateway_kong, gateway_kong_flat, gateway_ocelot, gateway_yarp,
    gateway_proxy_json, gateway_proxy_word;

/* Readers of what sends a topic on to queues. */
gateway_reader topics_cloudformation, topics_subscription, topics_resource, topics_google;

/* A reader of routes with their handlers. */
gateway_reader routes_symfony;

/* The same for a text of nginx, which begins at a line. */
void gateway_nginx(struct gateway_config *, const char *text, size_t n, uint32_t line);
#endif

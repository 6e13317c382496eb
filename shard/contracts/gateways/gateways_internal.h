#ifndef SHARD_CONTRACTS_GATEWAYS_GATEWAYS_INTERNAL_H
#define SHARD_CONTRACTS_GATEWAYS_GATEWAYS_INTERNAL_H
/* Shared by the readers of gateway configurations. */

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
	const char *form;		/* the kind of configuration: the fact's framework */
	const struct setting *v;	/* all values of the document, by path from the root: a.b[0].c */
	size_t n;
	struct map *by_key;		/* key -> index in v, plus one */
	struct arena *a;
	struct fact_list *out;
	struct budget *budget;		/* of the file; when it is used up, no more facts are added */
};

/* The value of a key; NULL if there is none, or it is empty. */
const char *gateway_get(const struct gateway_config *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether there is such a key, or one below it. */
bool gateway_has(const struct gateway_config *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Add a fact for each rewrite of a rule.  `target`: a URL, whose path is ignored, a host with or
 * without port, or `lb://name`.  `raw`: the target as written; NULL: the same.  `at`: public hosts,
 * or NULL.
 */
void gateway_put(struct gateway_config *, const struct path_rewrites *, const char *target,
    const char *raw, const char *at, uint32_t line);

/* The path of a URL from its first slash on; "" if it has none. */
const char *gateway_url_path(const char *url);

/* Prepend the path of a target's URL to what the target sees, unless it is only a slash. */
void gateway_add_url_path(struct path_rewrites *, const char *url, struct arena *);

/* The list of words with blanks between, and one more word; `list` may be NULL. */
const char *gateway_add_word(struct arena *, const char *list, const char *word);

/*
 * Split a list of words at commas (or other bytes of `ends`) into `out`, `max` at most, without
 * blanks and quotes around them.  Returns how many there are.
 */
size_t gateway_split_list(
    struct arena *, const char *list, const char *ends, const char **out, size_t max);

/*
 * A reader of one rule.  `base`: the key without the end that the form requires; `s`: the setting
 * with that key.
 */
typedef void gateway_reader(struct gateway_config *, const char *base, const struct setting *s);

gateway_reader gateway_spring, gateway_zuul, gateway_zuul_short;
gateway_reader gateway_ingress, gateway_http_route, gateway_istio, gateway_traefik,
    gateway_traefik_route, gateway_traefik_label;
gateway_reader gateway_envoy, gateway_kong, gateway_kong_flat, gateway_ocelot, gateway_yarp,
    gateway_proxy_json, gateway_proxy_word;

/* Readers of subscriptions, which forward a topic to queues. */
gateway_reader topics_cloudformation, topics_subscription, topics_resource, topics_google;

/* A reader of routes with their handlers. */
gateway_reader routes_symfony;

/* The same for an nginx configuration whose text begins at `line`. */
void gateway_nginx(struct gateway_config *, const char *text, size_t n, uint32_t line);
#endif

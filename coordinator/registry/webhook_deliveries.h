#ifndef COORDINATOR_REGISTRY_WEBHOOK_DELIVERIES_H
#define COORDINATOR_REGISTRY_WEBHOOK_DELIVERIES_H
/*
 * Remembers the newest webhook deliveries of each forge in the registry, so that a repeated
 * delivery does nothing.
 */

struct arena;
struct err;
struct registry;

/* The id of the job that a delivery has started; NULL if it is new or has no id. */
int deliveries_get(struct registry *, const char *forge, const char *id, const char **job,
    struct arena *, struct err *);

/* Remember a delivery; does nothing if `id` is NULL. */
int deliveries_put(
    struct registry *, const char *forge, const char *id, const char *job, struct err *);
#endif

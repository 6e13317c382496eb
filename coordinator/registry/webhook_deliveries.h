#ifndef COORDINATOR_REGISTRY_WEBHOOK_DELIVERIES_H
#define COORDINATOR_REGISTRY_WEBHOOK_DELIVERIES_H
/*
 * Which deliveries of webhooks were taken, so that one that comes again does nothing.  Kept in the
 * registry, the newest of each forge.
 */

struct arena;
struct err;
struct registry;

/* The id of the job that a delivery has become; `*job` NULL: it is new, or has no id. */
int deliveries_get(struct registry *, const char *forge, const char *id, const char **job,
    struct arena *, struct err *);

/* Remember it; `id` NULL: there is nothing to. */
int deliveries_put(
    struct registry *, const char *forge, const char *id, const char *job, struct err *);
#endif

/* Applies changes of other coordinators to the members: new, moved and removed shards. */
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/shared_tables.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"

/* Call with the lock held.  Dials a shard at the address in the registry, unless it is known. */
static void follow_endpoint(
    struct members *all, struct member *m, const struct registered_endpoint *p)
{
	struct replica **at = &m->state->replicas;
	int n = 0;

	for (; *at && strcmp((*at)->name, p->replica); at = &(*at)->next)
		n++;
	if (*at) {
		if (!strcmp((*at)->url, p->url))
			return;
		members_retire(all, at);
	} else if (n >= REPLICAS_MAX) {
		return;
	}
	members_add_replica(all, m, p->replica, p->url);
	log_info("member.registry_update", "repo=%s replica=%s endpoint=%s", m->repo_uri,
	    log_quote(p->replica), log_quote(p->url));
}

/* False if a shard was removed since the registry was read: then what was read may be outdated. */
static bool follow(struct members *all, const struct registered_repo *k, uint64_t dropped)
{
	pthread_mutex_lock(&all->lock);
	bool stopping = all->stopping;
	if (stopping || all->dropped != dropped) {
		pthread_mutex_unlock(&all->lock);
		return stopping;
	}
	struct member *m = members_get_or_add(all, k->repo_uri, k->name);
	m->state->gone = false;
	all->moved++;
	members_set_string(&m->state->default_branch, k->default_branch);
	members_set_string(&m->state->visibility, k->visibility);
	members_set_string(&m->state->source, k->source);
	for (size_t i = 0; i < k->nendpoints; i++)
		follow_endpoint(all, m, &k->endpoints[i]);
	pthread_mutex_unlock(&all->lock);
	return true;
}

static void drop(struct members *all, const char *repo_uri)
{
	pthread_mutex_lock(&all->lock);
	struct member *m = map_get(all->by_uri, repo_uri);
	pthread_mutex_unlock(&all->lock);
	if (m)
		members_drop(all, m);
}

static void drop_shard(struct members *all, const struct removed_endpoint *p)
{
	pthread_mutex_lock(&all->lock);
	struct member *m = map_get(all->by_uri, p->repo_uri);
	if (m && !m->state->gone)
		members_drop_replicas(all, m, NULL, p->replica);
	pthread_mutex_unlock(&all->lock);
}

/* Applies the whole registry; false if it has to be read again. */
static bool follow_all(struct members *all, struct arena *a)
{
	struct err e = { 0 };
	struct registered_repo *v;
	size_t n;

	pthread_mutex_lock(&all->lock);
	uint64_t dropped = all->dropped;
	pthread_mutex_unlock(&all->lock);
	if (registry_repos(all->in.registry, &v, &n, a, &e)) {
		log_error("member.registry_update", "message=%s", log_quote(e.msg));
		return true;
	}
	for (size_t i = 0; i < n; i++)
		if (!follow(all, &v[i], dropped))
			return false;
	return true;
}

void members_changed(struct members *all, const struct shared_changes *news)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < news->nrepos; i++)
		drop(all, news->repos[i]);
	for (size_t i = 0; i < news->nendpoints; i++)
		drop_shard(all, &news->endpoints[i]);
	while (!follow_all(all, a))
		arena_reset(a);
	arena_free(a);
}

/* Hosts that run a member no more: their shards are forgotten, and refused (tombstones.h). */
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/record.h"

/* digits behind the host in the name that a shard gives itself (shard/daemon/instance.c) */
enum { HASH = 6 };

/* One that was not heard of since the start goes by its name. */
static bool is_on(const struct replica *r, const char *host)
{
	size_t n = strlen(host);

	if (r->host)
		return !strcmp(r->host, host);
	return !strncmp(r->name, host, n) &&
	    (!r->name[n] || (r->name[n] == '-' && strlen(r->name + n + 1) == HASH));
}

static bool is_same(const char *x, const char *y)
{
	return x && y && !strcmp(x, y);
}

void members_drop_replicas(
    struct members *all, struct member *m, const char *host, const char *replica)
{
	for (struct replica **at = &m->state->replicas, *r; (r = *at);) {
		if (!(host && is_on(r, host)) && !is_same(r->name, replica)) {
			at = &r->next;
			continue;
		}
		log_info("member.leave", "repo=%s replica=%s", m->repo_uri, log_quote(r->name));
		members_retire(all, at);
		all->dropped++;
	}
}

/* ---- what an administrator wants ---- */

struct remaining_hosts {
	t_strs hosts;
	bool here;		/* the one that leaves was there */
};

static void add_remaining(struct remaining_hosts *s, const char *host, struct arena *a)
{
	const char **v = arena_many(a, s->hosts.n + 1, const char *);

	for (size_t i = 0; i < s->hosts.n; i++)
		if (!strcmp(v[i] = s->hosts.v[i], host))
			return;
	v[s->hosts.n] = host;
	s->hosts = (t_strs){ v, s->hosts.n + 1 };
}

/* By the list of a source. */
static void sort_list(const struct members *all, const char *list, const char *host,
    struct remaining_hosts *s, struct arena *a)
{
	const char *name;

	for (size_t i = 0; (name = sources_host_at(list, i, a)); i++) {
		if (!*name)
			name = all->in.host;
		if (strcmp(name, host))
			add_remaining(s, name, a);
		else
			s->here = true;
	}
}

/* By the shards that are known. */
static void sort_shards(struct members *all, const struct member *m, struct host_removal *x,
    struct remaining_hosts *s, struct arena *a)
{
	const char **v = arena_many(a, REPLICAS_MAX, const char *);

	x->replicas.v = v;
	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r && x->replicas.n < REPLICAS_MAX;
	     r = r->next)
		if (is_on(r, x->host))
			v[x->replicas.n++] = arena_str(a, r->name);
		else
			add_remaining(s, arena_str(a, r->host ? r->host : r->name), a);
	pthread_mutex_unlock(&all->lock);
	s->here |= x->replicas.n > 0;
}

static int check(const struct host_removal *x, const char *name, const struct remaining_hosts *s,
    struct arena *a, struct err *e)
{
	if (!s->here) {
		err_set(e, ERR_NOT_FOUND, "`host`: %.60s runs no shard of %s", x->host, name);
		return err_hint(e, "It is run by: %s.", s->hosts.n ? strs_join(&s->hosts, a) : "nobody");
	}
	if (s->hosts.n)
		return 0;
	err_set(e, ERR_INVALID_INPUT, "`host`: nobody but %.60s runs %s", x->host, name);
	return err_hint(
	    e, "Without --host the repository is forgotten altogether: `atoll repo remove %s`.", name);
}

int members_remove_host(struct members *all, struct member *m, const char *source, const char *host,
    t_strs *stay, struct arena *a, struct err *e)
{
	struct host_removal x = { m ? m->repo_uri : NULL, source, host, !strcmp(host, all->in.host),
		{ 0 } };
	struct remaining_hosts s = { 0 };
	struct source_row *v;
	size_t n;

	if (sources_all(all->in.registry, &v, &n, a, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (m ? is_same(v[i].repo_uri, m->repo_uri) : !strcmp(v[i].source, source))
			sort_list(all, v[i].host, host, &s, a);
	if (m)
		sort_shards(all, m, &x, &s, a);
	if (check(&x, m ? m->name : source, &s, a, e) || sources_remove_host(all->in.registry, &x, e))
		return -1;
	*stay = s.hosts;
	if (!m)
		return 0;
	pthread_mutex_lock(&all->lock);
	members_drop_replicas(all, m, host, NULL);
	pthread_mutex_unlock(&all->lock);
	return 0;
}

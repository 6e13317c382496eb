/* Removes a host from a member: its shards are dropped, and refused from then on (tombstones.h). */
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/record.h"

/* A shard's name is its host, followed by - and so many digits (shard/daemon/instance.c). */
enum { SUFFIX_DIGITS = 6 };

/* A shard that has not announced itself since the start is recognized by its name. */
static bool is_on(const struct replica *r, const char *host)
{
	size_t n = strlen(host);

	if (r->host)
		return !strcmp(r->host, host);
	if (strncmp(r->name, host, n))
		return false;
	const char *rest = r->name + n;
	return !*rest || (*rest == '-' && strlen(rest + 1) == SUFFIX_DIGITS);
}

static bool is_same(const char *x, const char *y)
{
	return x && y && !strcmp(x, y);
}

void members_drop_replicas(
    struct members *all, struct member *m, const char *host, const char *replica)
{
	struct replica **at = &m->state->replicas;

	while (*at) {
		struct replica *r = *at;
		bool meant = is_same(r->name, replica) || (host && is_on(r, host));
		if (!meant) {
			at = &r->next;
			continue;
		}
		log_info("member.leave", "repo=%s replica=%s", m->repo_uri, log_quote(r->name));
		members_retire(all, at);
		all->dropped++;
	}
}

/* ---- removal by an administrator ---- */

struct remaining_hosts {
	t_strs hosts;
	bool here;		/* the host that is removed was found */
};

static void add_remaining(struct remaining_hosts *s, const char *host, struct arena *a)
{
	const char **v = arena_many(a, s->hosts.n + 1, const char *);

	for (size_t i = 0; i < s->hosts.n; i++) {
		v[i] = s->hosts.v[i];
		if (!strcmp(v[i], host))
			return;
	}
	v[s->hosts.n] = host;
	s->hosts = (t_strs){ v, s->hosts.n + 1 };
}

/* Adds the hosts in the list of a source. */
static void add_listed(const struct members *all, const char *list, const char *host,
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

/* Adds the hosts of the known shards; those on the removed host go to `x`. */
static void add_running(struct members *all, const struct member *m, struct host_removal *x,
    struct remaining_hosts *s, struct arena *a)
{
	const char **v = arena_many(a, REPLICAS_MAX, const char *);
	size_t n = 0;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r && n < REPLICAS_MAX; r = r->next) {
		if (is_on(r, x->host))
			v[n++] = arena_str(a, r->name);
		else if (r->host)
			add_remaining(s, arena_str(a, r->host), a);
		else
			add_remaining(s, arena_str(a, r->name), a);
	}
	pthread_mutex_unlock(&all->lock);
	x->replicas = (t_strs){ v, n };
	if (n)
		s->here = true;
}

static int check(const struct host_removal *x, const char *name, const struct remaining_hosts *s,
    struct arena *a, struct err *e)
{
	if (!s->here) {
		err_set(e, ERR_NOT_FOUND, "`host`: %.60s runs no shard of %s", x->host, name);
		if (!s->hosts.n)
			return err_hint(e, "No host runs one.");
		return err_hint(e, "These hosts do: %s.", strs_join(&s->hosts, a));
	}
	if (s->hosts.n)
		return 0;
	err_set(e, ERR_INVALID_INPUT, "`host`: only %.60s runs %s", x->host, name);
	return err_hint(
	    e, "To remove the whole repository, run `atoll repo remove %s` without --host.", name);
}

static bool is_source_of(const struct source_row *row, const struct member *m, const char *source)
{
	if (m)
		return is_same(row->repo_uri, m->repo_uri);
	return !strcmp(row->source, source);
}

int members_remove_host(struct members *all, struct member *m, const char *source, const char *host,
    t_strs *stay, struct arena *a, struct err *e)
{
	struct host_removal x = {.source = source, .host = host, .own = !strcmp(host, all->in.host)};
	struct remaining_hosts s = { 0 };
	struct source_row *v;
	size_t n;
	const char *name = source;

	if (sources_all(all->in.registry, &v, &n, a, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (is_source_of(&v[i], m, source))
			add_listed(all, v[i].host, host, &s, a);
	if (m) {
		name = m->name;
		x.repo_uri = m->repo_uri;
		add_running(all, m, &x, &s, a);
	}
	if (check(&x, name, &s, a, e) || sources_remove_host(all->in.registry, &x, e))
		return -1;
	*stay = s.hosts;
	if (!m)
		return 0;
	pthread_mutex_lock(&all->lock);
	members_drop_replicas(all, m, host, NULL);
	pthread_mutex_unlock(&all->lock);
	return 0;
}

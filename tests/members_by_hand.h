#ifndef TESTS_MEMBERS_BY_HAND_H
#define TESTS_MEMBERS_BY_HAND_H
/* Members without threads, connections and a clock.  A test includes members_clock.h, its source file, and then this. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/term_statistics.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/record/codec.h"
#include "tests/members_clock.h"

static struct coordinator_config config;
static struct members *all;
static struct member *m;
static struct arena *a;
static struct err e;

static inline void nobody_hears(void *arg, const char *repo_uri)
{
	(void)arg, (void)repo_uri;
}

static inline int hand_begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	e = (struct err){ 0 };
	now_ms = 1000000;
	connected = true;
	cannot_dial = false;
	dialled = closed = 0;
	config = (struct coordinator_config){ .probe_interval_ms = 2000, .registry = "" };
	all = arena_one(a, struct members);
	all->in = (struct members_options){ .o = &config,
		.registry = registry_open_temporary(&e),
		.stats = stats_new(),
		.shard_spoke = nobody_hears,
		.shard_reachable = nobody_hears };
	all->interval = config.probe_interval_ms;
	all->a = a;
	all->by_uri = map_new();
	all->inbox_end = &all->inbox;
	pthread_mutex_init(&all->lock, NULL);
	clock_init_cond(&all->wake);
	m = members_get_or_add(all, "h/one", "one");
	return all->in.registry ? 0 : -1;
}

/* A shard at the end of the list, which has answered and is healthy; it has no connection. */
static inline struct replica *hand_replica(struct member *of, const char *name)
{
	struct replica *r = arena_one(a, struct replica), **end = &of->state->replicas;
	uint32_t bit = 1;

	for (; *end; end = &(*end)->next)
		bit <<= 1;
	*end = r;
	r->m = of;
	r->all = all;
	r->bit = bit;
	r->answered = true;
	r->behind = -1;
	r->live.least_ms = 500;
	members_set_string(&r->name, name);
	members_set_string(&r->url, "ipc:///nowhere");
	index_status_reset(&r->reported);
	return r;
}

static inline void hand_free_member(struct member_state *s)
{
	for (struct replica *r = s->replicas; r; r = r->next) {
		free(r->name);
		free(r->url);
		free(r->host);
		index_status_reset(&r->reported);
		buf_free(&r->secrets);
	}
	free(s->default_branch);
	free(s->visibility);
	free(s->source);
	free(s->past);
	buf_free(&s->counts);
	index_status_reset(&s->reported);
}

static inline int hand_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < map_len(all->by_uri); i++)
		hand_free_member(((struct member *)map_val(all->by_uri, i))->state);
	map_free(all->by_uri);
	stats_free(all->in.stats);
	registry_close(all->in.registry);
	pthread_cond_destroy(&all->wake);
	pthread_mutex_destroy(&all->lock);
	arena_free(a);
	return 0;
}
#endif

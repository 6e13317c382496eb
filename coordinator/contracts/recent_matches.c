#include "coordinator/contracts/recent_matches.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match_memory.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"

enum { GROUPS = 64 };

struct recent_match {
	char *name, *digest;
	struct match_memory *memory; /* NULL: the place is free */
};

struct recent_matches {
	pthread_mutex_t lock;
	struct recent_match v[GROUPS]; /* the last one first */
};

struct recent_matches *recent_matches_new(void)
{
	struct recent_matches *all = xcalloc(1, sizeof *all);

	pthread_mutex_init(&all->lock, NULL);
	return all;
}

static void drop(struct recent_match *m)
{
	free(m->name);
	free(m->digest);
	match_memory_free(m->memory);
	*m = (struct recent_match){ 0 };
}

void recent_matches_free(struct recent_matches *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < GROUPS; i++)
		drop(&all->v[i]);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

/* The place of the tables; the last one if they have none. */
static size_t find(const struct recent_matches *all, const char *name)
{
	size_t i = 0;

	while (i < GROUPS - 1 && !(all->v[i].name && !strcmp(all->v[i].name, name)))
		i++;
	return i;
}

struct match_memory *recent_matches_take(
    struct recent_matches *all, const char *name, const char *digest)
{
	struct match_memory *memory = NULL;

	pthread_mutex_lock(&all->lock);
	struct recent_match *m = &all->v[find(all, name)];
	bool is_it = digest && m->memory && !strcmp(m->name, name) && !strcmp(m->digest, digest);
	if (is_it) {
		memory = m->memory;
		m->memory = NULL;
	}
	pthread_mutex_unlock(&all->lock);
	return memory;
}

void recent_matches_leave(
    struct recent_matches *all, const char *name, const char *digest, struct match_memory *memory)
{
	pthread_mutex_lock(&all->lock);
	size_t at = find(all, name);
	drop(&all->v[at]);
	memmove(&all->v[1], &all->v[0], at * sizeof *all->v);
	all->v[0] = (struct recent_match){ xstrdup(name), xstrdup(digest), memory };
	pthread_mutex_unlock(&all->lock);
}

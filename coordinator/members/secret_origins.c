#include "coordinator/members/secret_origins.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/codec.h"

struct secret_use_list {
	struct secret_use *v;
	size_t n, cap;
};

static void add(struct secret_use_list *u, struct secret_use use)
{
	u->v = grow(u->v, &u->cap, u->n + 1, sizeof *u->v);
	u->v[u->n++] = use;
}

/* NULL and the empty string are equal. */
static bool same(const char *a, const char *b)
{
	if (!a || !*a)
		return !b || !*b;
	return b && !strcmp(a, b);
}

/* The same use by another shard, or NULL. */
static struct secret_use *find(struct secret_use_list *u, const struct secret_row *r)
{
	for (size_t i = 0; i < u->n; i++) {
		struct secret_use *x = &u->v[i];
		bool equal = same(x->secret, r->secret) && same(x->from, r->from) &&
		    same(x->fault, r->fault);
		if (x->shards && equal)
			return x;
	}
	return NULL;
}

static void add_shard(
    struct secret_use_list *u, const struct member *m, const struct secrets *reported)
{
	for (size_t i = 0; i < reported->rows.n; i++) {
		const struct secret_row *r = &reported->rows.v[i];
		struct secret_use *known = find(u, r);
		if (known)
			known->shards++;
		else
			add(u, (struct secret_use){ "shard", r->secret, r->from, r->fault, 1, m->name });
	}
}

static void add_member(
    struct secret_use_list *u, struct members *all, const struct member *m, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r; r = r->next) {
		struct secrets reported = { 0 };
		if (!r->secrets.n)
			continue;
		if (!codec_get(&rec_secrets, &reported, r->secrets.p, r->secrets.n, a, NULL))
			add_shard(u, m, &reported);
	}
	pthread_mutex_unlock(&all->lock);
}

struct secret_use *secrets_in_use(struct members *all, const struct caller *caller,
    const struct secret_origin *own, size_t owned, struct arena *a, size_t *n)
{
	struct secret_use_list u = { 0 };
	size_t members;
	struct member **v = members_all(all, caller, a, &members);

	for (size_t i = 0; i < owned; i++)
		add(&u, (struct secret_use){
			.program = "coordinator", .secret = own[i].secret, .from = own[i].from });
	for (size_t i = 0; i < members; i++)
		add_member(&u, all, v[i], a);
	struct secret_use *out = arena_many(a, u.n, struct secret_use);
	if (u.n)
		memcpy(out, u.v, u.n * sizeof *out);
	free(u.v);
	*n = u.n;
	return out;
}

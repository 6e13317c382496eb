#include "shard/contracts/crossfile/tree_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/parse/parser.h"

enum { MOST_TEXT = 3 << 20 };

struct held {
	pthread_mutex_t lock;
	struct entry {
		char *path;
		struct held_file f;	/* without an arena: somebody has it */
	} *v;			/* in order of path, as they are written */
	size_t n, cap, bytes;
};

struct held *held_new(void)
{
	struct held *h = calloc(1, sizeof *h);

	if (!h)
		abort();
	pthread_mutex_init(&h->lock, NULL);
	return h;
}

void held_file_free(struct held_file *f)
{
	kept_free(&f->kept);
	buf_free(&f->text);
	arena_free(f->a);
	*f = (struct held_file){ 0 };
}

void held_free(struct held *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++) {
		held_file_free(&h->v[i].f);
		free(h->v[i].path);
	}
	pthread_mutex_destroy(&h->lock);
	free(h->v);
	free(h);
}

bool held_reserve(struct held *h, size_t bytes)
{
	pthread_mutex_lock(&h->lock);
	bool room = bytes <= MOST_TEXT - h->bytes;
	h->bytes += room ? bytes : 0;
	pthread_mutex_unlock(&h->lock);
	return room;
}

void held_release(struct held *h, size_t bytes)
{
	pthread_mutex_lock(&h->lock);
	h->bytes -= bytes;
	pthread_mutex_unlock(&h->lock);
}

void held_put(struct held *h, const char *path, const struct held_file *f)
{
	h->v = grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	h->v[h->n] = (struct entry){ strdup(path), *f };
	if (!h->v[h->n++].path)
		abort();
}

static int by_path(const void *path, const void *file)
{
	return strcmp(path, ((const struct entry *)file)->path);
}

bool held_take(struct held *h, const char *path, struct held_file *out)
{
	pthread_mutex_lock(&h->lock);
	struct entry *x = h->n ? bsearch(path, h->v, h->n, sizeof *h->v, by_path) : NULL;
	bool there = x && x->f.a;
	if (there) {
		*out = x->f;
		x->f = (struct held_file){ 0 };
	}
	pthread_mutex_unlock(&h->lock);
	return there;
}

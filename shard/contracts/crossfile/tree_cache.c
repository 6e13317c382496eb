#include "shard/contracts/crossfile/tree_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "shard/parse/parser.h"

enum { MOST_TEXT = 3 << 20 };

struct tree_cache {
	pthread_mutex_t lock;
	struct tree_cache_entry {
		char *path;
		struct cached_tree f;	/* without an arena: it was taken */
	} *v;			/* in order of path, as they are written */
	size_t n, cap, bytes;
};

struct tree_cache *tree_cache_new(void)
{
	struct tree_cache *h = xcalloc(1, sizeof *h);

	pthread_mutex_init(&h->lock, NULL);
	return h;
}

void cached_tree_free(struct cached_tree *f)
{
	retained_tree_free(&f->retained);
	buf_free(&f->text);
	arena_free(f->a);
	*f = (struct cached_tree){ 0 };
}

void tree_cache_free(struct tree_cache *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++) {
		cached_tree_free(&h->v[i].f);
		free(h->v[i].path);
	}
	pthread_mutex_destroy(&h->lock);
	free(h->v);
	free(h);
}

bool tree_cache_reserve(struct tree_cache *h, size_t bytes)
{
	pthread_mutex_lock(&h->lock);
	bool room = bytes <= MOST_TEXT - h->bytes;
	if (room)
		h->bytes += bytes;
	pthread_mutex_unlock(&h->lock);
	return room;
}

void tree_cache_release(struct tree_cache *h, size_t bytes)
{
	pthread_mutex_lock(&h->lock);
	h->bytes -= bytes;
	pthread_mutex_unlock(&h->lock);
}

void tree_cache_put(struct tree_cache *h, const char *path, const struct cached_tree *f)
{
	h->v = grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	h->v[h->n++] = (struct tree_cache_entry){ xstrdup(path), *f };
}

static int by_path(const void *path, const void *file)
{
	return strcmp(path, ((const struct tree_cache_entry *)file)->path);
}

bool tree_cache_take(struct tree_cache *h, const char *path, struct cached_tree *out)
{
	pthread_mutex_lock(&h->lock);
	struct tree_cache_entry *x = NULL;
	if (h->n)
		x = bsearch(path, h->v, h->n, sizeof *h->v, by_path);
	bool there = x && x->f.a;
	if (there) {
		*out = x->f;
		x->f = (struct cached_tree){ 0 };
	}
	pthread_mutex_unlock(&h->lock);
	return there;
}

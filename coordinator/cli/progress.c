#include "coordinator/cli/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"

enum { BARS = 12, WIDTH = 24 };	/* lines at once; characters of a bar */

struct item {
	char *name, *state;
	uint64_t done, total;
	int step;		/* tenths that were told; plain lines only */
	bool told;
};

struct progress {
	struct map *items;
	bool terminal;
	int lines;		/* drawn the last time */
};

struct progress *progress_new(void)
{
	struct progress *p = calloc(1, sizeof *p);

	if (!p)
		abort();
	p->items = map_new();
	p->terminal = isatty(STDERR_FILENO);
	return p;
}

static void item_free(struct item *it)
{
	free(it->name);
	free(it->state);
	free(it);
}

void progress_free(struct progress *p)
{
	for (size_t i = 0; p && i < map_len(p->items); i++)
		item_free(map_val(p->items, i));
	if (p)
		map_free(p->items);
	free(p);
}

static void tell(struct item *it)
{
	int step = it->total ? (int)(it->done * 10 / it->total) : 0;

	if (it->told && step <= it->step)
		return;
	it->told = true;
	it->step = step;
	if (it->total)
		fprintf(stderr, "%s: %s, %llu of %llu files\n", it->name, it->state, (unsigned long long)it->done,
		    (unsigned long long)it->total);
	else
		fprintf(stderr, "%s: %s\n", it->name, it->state);
}

/* Make `*s` a copy of `now`; whether it was another text. */
static bool replace(char **s, const char *now)
{
	if (*s && !strcmp(*s, now))
		return false;
	free(*s);
	if (!(*s = strdup(now)))
		abort();
	return true;
}

void progress_put(struct progress *p, const char *key, const char *name, const char *state, uint64_t done,
    uint64_t total)
{
	void **at = map_at(p->items, key);
	struct item *it = *at;

	if (!it && !(it = *at = calloc(1, sizeof *it)))
		abort();
	replace(&it->name, name);
	if (replace(&it->state, state)) {
		it->told = false;
		it->step = 0;
	}
	it->done = done;
	it->total = total;
	if (!p->terminal)
		tell(it);
}

void progress_plain(struct progress *p)
{
	for (size_t i = 0; p->terminal && i < map_len(p->items); i++)
		((struct item *)map_val(p->items, i))->told = true;
	p->terminal = false;
}

static void bar(const struct item *it)
{
	int full = it->total ? (int)(it->done * WIDTH / it->total) : 0;

	fprintf(stderr, "\033[K%-32.32s ", it->name);
	if (it->total) {
		fputc('[', stderr);
		for (int i = 0; i < WIDTH; i++)
			fputc(i < full ? '#' : '.', stderr);
		fprintf(stderr, "] %llu/%llu ", (unsigned long long)it->done, (unsigned long long)it->total);
	}
	fprintf(stderr, "%.60s\n", it->state);
}

void progress_draw(struct progress *p)
{
	size_t n = map_len(p->items);

	if (!p->terminal)
		return;
	if (p->lines)
		fprintf(stderr, "\033[%dA", p->lines);
	p->lines = 0;
	/* Those at work first; the rest as far as there is room. */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n && p->lines < BARS; i++) {
			struct item *it = map_val(p->items, i);
			if ((it->total != 0) == (pass == 0)) {
				bar(it);
				p->lines++;
			}
		}
	}
	fflush(stderr);
}

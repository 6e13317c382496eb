#include "proto/base/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"

enum { BARS = 12, WIDTH = 24 };	/* lines at once; characters of a bar */

struct item {
	char *name, *state;
	struct amount now;
	uint64_t bytes_before;	/* when the state began */
	int64_t since;
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

/* "12.3 MB/s, 0:42 left", as far as it is known; "" before there is something to measure. */
static const char *pace(const struct item *it, char out[60])
{
	int64_t ms = clock_ms() - it->since;
	uint64_t bytes = it->now.bytes - it->bytes_before;

	*out = 0;
	if (!it->now.total_bytes || !bytes || ms < 1)
		return out;
	uint64_t left = (it->now.total_bytes - it->now.bytes) * (uint64_t)ms / bytes / 1000;
	snprintf(out, 60, "%.1f MB/s, %llu:%02u left", (double)bytes / 1e3 / (double)ms, (unsigned long long)(left / 60),
	    (unsigned)(left % 60));
	return out;
}

static void tell(struct item *it)
{
	int step = it->now.total ? (int)(it->now.done * 10 / it->now.total) : 0;
	char text[60];

	if (it->told && step <= it->step)
		return;
	it->told = true;
	it->step = step;
	if (it->now.total)
		fprintf(stderr, "%s: %s, %llu of %llu files%s%s\n", it->name, it->state, (unsigned long long)it->now.done,
		    (unsigned long long)it->now.total, *pace(it, text) ? ", " : "", text);
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

void progress_put(struct progress *p, const char *key, const char *name, const char *state, struct amount now)
{
	void **at = map_at(p->items, key);
	struct item *it = *at;

	if (!it && !(it = *at = calloc(1, sizeof *it)))
		abort();
	replace(&it->name, name);
	if (replace(&it->state, state) || now.bytes < it->now.bytes) {
		it->told = false;
		it->step = 0;
		it->bytes_before = now.bytes;
		it->since = clock_ms();
	}
	if (now.bytes > now.total_bytes)
		now.bytes = now.total_bytes;
	it->now = now;
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
	int full = it->now.total ? (int)(it->now.done * WIDTH / it->now.total) : 0;
	char text[60];

	fprintf(stderr, "\033[K%-32.32s ", it->name);
	if (it->now.total) {
		fputc('[', stderr);
		for (int i = 0; i < WIDTH; i++)
			fputc(i < full ? '#' : '.', stderr);
		fprintf(stderr, "] %llu/%llu files %s\n", (unsigned long long)it->now.done, (unsigned long long)it->now.total,
		    pace(it, text));
	} else {
		fprintf(stderr, "%.60s\n", it->state);
	}
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
			if ((it->now.total != 0) == (pass == 0)) {
				bar(it);
				p->lines++;
			}
		}
	}
	fflush(stderr);
}

#include "proto/process/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

enum { BARS = 12 };			/* lines at once */
enum { NAME = 32, WIDTH = 24 };		/* characters of a name and of a bar, where there is room */
/* a terminal's columns; of a name, a bar and the rest */
enum { NARROW = 100, NARROW_NAME = 12, NARROW_WIDTH = 10, FIGURES = 40 };

struct progress_item {
	char *name, *state;
	struct progress_amount now;
	uint64_t bytes_before;	/* when the state began */
	int64_t since;
	int step;		/* tenths that were told; plain lines only */
	bool printed;
};

struct progress {
	struct map *items;
	bool terminal;
	int lines;		/* drawn the last time */
};

struct progress *progress_new(void)
{
	struct progress *p = xcalloc(1, sizeof *p);

	p->items = map_new();
	const char *term = getenv("TERM");
	p->terminal = isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
	return p;
}

static void item_free(struct progress_item *it)
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
static const char *format_rate(const struct progress_item *it, char out[60])
{
	int64_t ms = clock_ms() - it->since;
	uint64_t bytes = it->now.bytes - it->bytes_before;

	*out = 0;
	if (!it->now.total_bytes || !bytes || ms < 1)
		return out;
	uint64_t left = (it->now.total_bytes - it->now.bytes) * (uint64_t)ms / bytes / 1000;
	snprintf(out, 60, "%.1f MB/s, %llu:%02u left", (double)bytes / 1e3 / (double)ms,
	    (unsigned long long)(left / 60), (unsigned)(left % 60));
	return out;
}

static void tell(struct progress_item *it)
{
	int step = 0;
	char text[60];

	if (it->now.total)
		step = (int)(it->now.done * 10 / it->now.total);
	if (it->printed && step <= it->step)
		return;
	it->printed = true;
	it->step = step;
	if (it->now.total)
		fprintf(stderr, "%s: %s, %llu of %llu files%s%s\n", it->name, it->state,
		    (unsigned long long)it->now.done, (unsigned long long)it->now.total,
		    *format_rate(it, text) ? ", " : "", text);
	else
		fprintf(stderr, "%s: %s\n", it->name, it->state);
}

/* Make `*s` a copy of `now`; whether it was another text. */
static bool replace(char **s, const char *now)
{
	if (*s && !strcmp(*s, now))
		return false;
	free(*s);
	*s = xstrdup(now);
	return true;
}

void progress_update(struct progress *p, const char *key, const char *name, const char *state,
    struct progress_amount now)
{
	void **at = map_at(p->items, key);
	struct progress_item *it = *at;

	if (!it && !(it = *at = calloc(1, sizeof *it)))
		die("out of memory");
	replace(&it->name, name);
	if (replace(&it->state, state) || now.bytes < it->now.bytes) {
		it->printed = false;
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

void progress_use_lines(struct progress *p)
{
	for (size_t i = 0; p->terminal && i < map_len(p->items); i++)
		((struct progress_item *)map_val(p->items, i))->printed = true;
	p->terminal = false;
}

/* Of the terminal, as it is now; 0 columns or rows: it does not say. */
static struct winsize size(void)
{
	struct winsize w = { 0 };

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) ? (struct winsize){ 0 } : w;
}

/* Write a line that the terminal does not wrap: going up counts lines. */
static void put_line(const char *line, int columns)
{
	size_t n = strlen(line);

	if (columns && n >= (size_t)columns)
		for (n = (size_t)columns - 1; n && ((unsigned char)line[n] & 0xc0) == 0x80;)
			n--;
	fprintf(stderr, "\033[K%.*s\n", (int)n, line);
}

static void bar(const struct progress_item *it, int columns)
{
	bool narrow = columns && columns < NARROW;
	int width = narrow ? NARROW_WIDTH : WIDTH, room = columns - NARROW_WIDTH - FIGURES;
	int name = !narrow || room > NAME ? NAME : room < NARROW_NAME ? NARROW_NAME : room;
	int full = 0;
	char text[60], line[300];

	if (it->now.total)
		full = (int)(it->now.done * (uint64_t)width / it->now.total);
	if (it->now.total)
		snprintf(line, sizeof line, "%-*.*s [%.*s%.*s] %llu/%llu files %s", name, name, it->name,
		    full, "########################", width - full, "........................",
		    (unsigned long long)it->now.done, (unsigned long long)it->now.total,
		    format_rate(it, text));
	else
		snprintf(line, sizeof line, "%-*.*s %.60s", name, name, it->name, it->state);
	put_line(line, columns);
}

void progress_draw(struct progress *p)
{
	struct winsize w = size();
	size_t n = map_len(p->items);
	int most = BARS;

	if (w.ws_row > 1 && w.ws_row <= BARS)
		most = w.ws_row - 1;
	if (!p->terminal)
		return;
	if (p->lines)
		fprintf(stderr, "\033[%dA", p->lines);
	p->lines = 0;
	/* Those at work first; the rest as far as there is room. */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n && p->lines < most; i++) {
			struct progress_item *it = map_val(p->items, i);
			if ((it->now.total != 0) == (pass == 0)) {
				bar(it, w.ws_col);
				p->lines++;
			}
		}
	}
	fflush(stderr);
}

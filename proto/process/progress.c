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
#include "proto/base/minmax.h"

enum { BARS = 12 };			/* maximum number of lines */
enum { NAME = 32, WIDTH = 24 };		/* characters of a name and of a bar */
/* the same for terminals with fewer than NARROW columns, and the characters of the numbers */
enum { NARROW = 100, NARROW_NAME = 12, NARROW_WIDTH = 10, FIGURES = 40 };

struct progress_item {
	char *name, *state;
	struct progress_amount now;
	uint64_t bytes_before;	/* when the state began */
	int64_t since;		/* the time of that */
	int step;		/* tenths printed last; without a terminal only */
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

	const char *term = getenv("TERM");
	bool dumb = term && !strcmp(term, "dumb");

	p->items = map_new();
	p->terminal = isatty(STDERR_FILENO) && !dumb;
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
	if (!p)
		return;
	for (size_t i = 0; i < map_len(p->items); i++)
		item_free(map_val(p->items, i));
	map_free(p->items);
	free(p);
}

/* "12.3 MB/s, 0:42 left", or "" while nothing can be measured yet. */
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

/* Prints a line when the state is new or another tenth is done. */
static void print_step(struct progress_item *it)
{
	int step = 0;
	char text[60];

	if (it->now.total)
		step = (int)(it->now.done * 10 / it->now.total);
	if (it->printed && step <= it->step)
		return;
	it->printed = true;
	it->step = step;
	if (!it->now.total) {
		fprintf(stderr, "%s: %s\n", it->name, it->state);
		return;
	}
	const char *rate = format_rate(it, text);
	const char *comma = *rate ? ", " : "";
	fprintf(stderr, "%s: %s, %llu of %llu files%s%s\n", it->name, it->state,
	    (unsigned long long)it->now.done, (unsigned long long)it->now.total, comma, rate);
}

/* Makes `*s` a copy of `now`.  Returns whether the text changed. */
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

	if (!*at)
		*at = xcalloc(1, sizeof(struct progress_item));
	struct progress_item *it = *at;
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
		print_step(it);
}

void progress_use_lines(struct progress *p)
{
	if (!p->terminal)
		return;
	for (size_t i = 0; i < map_len(p->items); i++) {
		struct progress_item *it = map_val(p->items, i);
		it->printed = true;
	}
	p->terminal = false;
}

/* The terminal's current size; 0 columns and rows if it is unknown. */
static struct winsize terminal_size(void)
{
	struct winsize w = { 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w))
		return (struct winsize){ 0 };
	return w;
}

/*
 * Writes a line, cut so that the terminal does not wrap it: moving the cursor up counts rows.  A
 * cut never splits a UTF-8 character.
 */
static void put_line(const char *line, int columns)
{
	size_t n = strlen(line);

	if (columns && n >= (size_t)columns) {
		n = (size_t)columns - 1;
		while (n && ((unsigned char)line[n] & 0xc0) == 0x80)
			n--;
	}
	fprintf(stderr, "\033[K%.*s\n", (int)n, line);
}

static void draw_item(const struct progress_item *it, int columns)
{
	int width = WIDTH, name = NAME;
	char text[60], line[300];

	if (columns && columns < NARROW) {
		int room = columns - NARROW_WIDTH - FIGURES;
		width = NARROW_WIDTH;
		name = MIN(MAX(room, NARROW_NAME), NAME);
	}
	if (it->now.total) {
		int full = (int)(it->now.done * (uint64_t)width / it->now.total);
		snprintf(line, sizeof line, "%-*.*s [%.*s%.*s] %llu/%llu files %s", name, name, it->name,
		    full, "########################", width - full, "........................",
		    (unsigned long long)it->now.done, (unsigned long long)it->now.total,
		    format_rate(it, text));
	} else {
		snprintf(line, sizeof line, "%-*.*s %.60s", name, name, it->name, it->state);
	}
	put_line(line, columns);
}

/* Draws the items that have a bar, or the others, while there are fewer than `limit` lines. */
static void draw_items(struct progress *p, bool with_bar, int limit, int columns)
{
	for (size_t i = 0; i < map_len(p->items) && p->lines < limit; i++) {
		struct progress_item *it = map_val(p->items, i);
		bool has_bar = it->now.total != 0;
		if (has_bar != with_bar)
			continue;
		draw_item(it, columns);
		p->lines++;
	}
}

void progress_draw(struct progress *p)
{
	struct winsize w = terminal_size();
	int limit = BARS;

	if (!p->terminal)
		return;
	if (w.ws_row > 1 && w.ws_row <= BARS)
		limit = w.ws_row - 1;
	if (p->lines)
		fprintf(stderr, "\033[%dA", p->lines);
	p->lines = 0;
	draw_items(p, true, limit, w.ws_col);
	draw_items(p, false, limit, w.ws_col);
	fflush(stderr);
}

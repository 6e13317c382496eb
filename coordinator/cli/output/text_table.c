#include "coordinator/cli/output/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/terminal_text.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

enum { COLUMNS = 12 };

struct text_row {
	const char *cells[COLUMNS];
	int n;
};

struct text_table {
	struct arena *a;
	struct text_row *rows;
	size_t n, cap;
	int width[COLUMNS];
};

/* The columns that the text takes on a terminal: continuation bytes of UTF-8 do not count. */
static int width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

struct text_table *text_table_new(void)
{
	struct arena *a = arena_new();
	struct text_table *t = arena_one(a, struct text_table);

	t->a = a;
	return t;
}

void text_table_cells(struct text_table *t, int n, const char *const *cells)
{
	t->rows = grow(t->rows, &t->cap, t->n + 1, sizeof *t->rows);
	struct text_row *r = &t->rows[t->n++];
	*r = (struct text_row){ .n = MIN(n, COLUMNS) };
	for (int i = 0; i < r->n; i++) {
		r->cells[i] = term_escape(text_or_empty(cells[i]), t->a);
		if (i + 1 < n && width(r->cells[i]) > t->width[i])
			t->width[i] = width(r->cells[i]);
	}
}

void text_table_row(struct text_table *t, int n, ...)
{
	const char *cells[COLUMNS];
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < n && i < COLUMNS; i++)
		cells[i] = va_arg(ap, const char *);
	va_end(ap);
	text_table_cells(t, MIN(n, COLUMNS), cells);
}

/* Blanks are printed only before the next cell, so that no line ends with them. */
static void print_row(const struct text_table *t, const struct text_row *r, FILE *f)
{
	int last = r->n - 1, blanks = 0;

	while (last > 0 && !*r->cells[last])
		last--;
	for (int j = 0; j <= last; j++) {
		fprintf(f, "%*s%s", blanks, "", r->cells[j]);
		blanks = t->width[j] - width(r->cells[j]) + 2;
	}
	fputc('\n', f);
}

void text_table_print(struct text_table *t, FILE *f)
{
	for (size_t i = 0; i < t->n; i++)
		print_row(t, &t->rows[i], f);
	free(t->rows);
	arena_free(t->a);
}

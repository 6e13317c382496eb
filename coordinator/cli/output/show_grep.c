#include "coordinator/cli/output/show_grep.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/local_clones.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/record/json.h"

#define PATH_COLOR "\x1b[0m\x1b[35m"
#define LINE_COLOR "\x1b[0m\x1b[32m"
#define MATCH_COLOR "\x1b[0m\x1b[1m\x1b[31m"
#define NO_COLOR "\x1b[0m"

/* ---- places ---- */

/* A byte that is not UTF-8 is shown as U+FFFD, which has so many bytes more. */
enum { REPLACEMENT_ADDS = 2 };

/* Where a column of the line is in the text that is shown: at its ends if it is not there. */
static size_t place_of(const struct grep_match *m, uint64_t column)
{
	uint64_t first = MAX(m->text_column, 1);

	if (column < first)
		return 0;
	uint64_t at = column - first;
	for (size_t i = 0; i < m->replaced.n; i++) {
		const struct grep_span *run = &m->replaced.v[i];
		if (run->column < column)
			at += REPLACEMENT_ADDS * MIN(run->length, column - run->column);
	}
	return MIN(at, strlen(m->text));
}

/* ---- JSON ---- */

static void print_text(const char *name, const char *text, const char *more)
{
	struct buf b = { 0 }, whole = { 0 };

	buf_printf(&whole, "%s%s", text, more);
	json_quote(&b, whole.p);
	printf("\"%s\":{\"text\":%s}", name, b.p);
	buf_free(&b);
	buf_free(&whole);
}

static void print_end(struct grep_printer *p)
{
	if (!*p->file)
		return;
	printf("{\"type\":\"end\",\"data\":{");
	print_text("path", p->file, "");
	printf(",\"binary_offset\":null,\"stats\":{\"matched_lines\":%llu}}}\n", p->file_rows);
}

static void print_span(const struct grep_match *m, uint64_t column, uint64_t length)
{
	size_t start = place_of(m, column), end = place_of(m, column + length);
	struct buf text = { 0 };

	buf_str(&text, "");
	buf_put(&text, m->text + start, end - start);
	printf("{");
	print_text("match", text.p, "");
	printf(",\"start\":%zu,\"end\":%zu}", start, end);
	buf_free(&text);
}

static void print_match(const struct grep_printer *p, const struct grep_match *m)
{
	printf("{\"type\":\"match\",\"data\":{");
	print_text("path", p->file, "");
	putchar(',');
	print_text("lines", m->text, "\n");
	printf(",\"line_number\":%llu,\"absolute_offset\":%llu,\"submatches\":[",
	    (unsigned long long)m->line, (unsigned long long)m->offset);
	print_span(m, m->column, m->length);
	for (size_t i = 0; i < m->more.n; i++) {
		putchar(',');
		print_span(m, m->more.v[i].column, m->more.v[i].length);
	}
	printf("]}}\n");
}

static void print_context(const struct grep_printer *p, const char *text, unsigned long long line)
{
	printf("{\"type\":\"context\",\"data\":{");
	print_text("path", p->file, "");
	putchar(',');
	print_text("lines", text, "\n");
	printf(",\"line_number\":%llu,\"absolute_offset\":null,\"submatches\":[]}}\n", line);
}

/* ---- text ---- */

static void print_part(const char *text, size_t from, size_t to)
{
	say(stdout, "%.*s", (int)(to - from), text + from);
}

/* Print the text from `at` on to the end of a match, which is colored; that end. */
static size_t print_to_match(
    const struct grep_match *m, size_t at, uint64_t column, uint64_t length)
{
	size_t start = MAX(place_of(m, column), at), end = MAX(place_of(m, column + length), start);

	print_part(m->text, at, start);
	fputs(MATCH_COLOR, stdout);
	print_part(m->text, start, end);
	fputs(NO_COLOR, stdout);
	return end;
}

static void print_colored(const struct grep_match *m)
{
	size_t at = print_to_match(m, 0, m->column, m->length);

	for (size_t i = 0; i < m->more.n; i++)
		at = print_to_match(m, at, m->more.v[i].column, m->more.v[i].length);
	print_part(m->text, at, strlen(m->text));
}

/* What stands before the text of a line: `mark` is `:` for a match and `-` for a line around it. */
static void print_place(
    const struct grep_printer *p, unsigned long long line, unsigned long long column, char mark)
{
	if (p->style == GREP_TERMINAL) {
		printf(LINE_COLOR "%llu" NO_COLOR "%c", line, mark);
	} else {
		say(stdout, "%s%c%llu%c", p->file, mark, line, mark);
		if (p->column && column)
			printf("%llu%c", column, mark);
	}
}

static void print_around(struct grep_printer *p, const struct strs *lines, unsigned long long first)
{
	for (size_t i = 0; i < lines->n; i++) {
		unsigned long long line = first + i;
		if (line <= p->line)
			continue;
		if (p->style == GREP_JSON) {
			print_context(p, lines->v[i], line);
		} else {
			print_place(p, line, 0, '-');
			say(stdout, "%s\n", lines->v[i]);
		}
		p->line = line;
	}
}

static void print_line(const struct grep_printer *p, const struct grep_match *m)
{
	print_place(p, m->line, m->column, ':');
	if (p->style == GREP_TERMINAL)
		print_colored(m);
	else
		say(stdout, "%s", m->text);
	putchar('\n');
}

/* Between groups of lines that do not follow each other stands a line of its own. */
static void print_gap(const struct grep_printer *p, const struct grep_match *m)
{
	bool around = m->before.n || m->after.n;
	unsigned long long first = m->line - m->before.n;

	if (around && p->line && first > p->line + 1 && p->style != GREP_JSON)
		printf("--\n");
}

static void begin_file(struct grep_printer *p, const char *file)
{
	if (p->style == GREP_JSON)
		print_end(p);
	if (p->style == GREP_TERMINAL && *p->file)
		putchar('\n');
	snprintf(p->file, sizeof p->file, "%s", file);
	p->line = p->file_rows = 0;
	p->files++;
	if (p->style == GREP_TERMINAL)
		say(stdout, PATH_COLOR "%s" NO_COLOR "\n", file);
	if (p->style != GREP_JSON)
		return;
	printf("{\"type\":\"begin\",\"data\":{");
	print_text("path", p->file, "");
	printf("}}\n");
}

/* What stands before the path of a file: its repository's folder on this machine, or its name. */
static const char *root_of(const struct grep_printer *p, const char *repo_uri, const char *repo)
{
	return text_or(local_clones_folder(p->clones, repo_uri), repo);
}

static void print_row(struct grep_printer *p, const struct grep_match *m)
{
	struct buf file = { 0 };

	buf_printf(&file, "%s/%s", root_of(p, m->repo_uri, m->repo), m->path);
	if (strcmp(file.p, p->file))
		begin_file(p, file.p);
	buf_free(&file);
	/* a line that was shown below an earlier match is shown once */
	print_gap(p, m);
	print_around(p, &m->before, m->line - m->before.n);
	if (p->style == GREP_JSON)
		print_match(p, m);
	else
		print_line(p, m);
	p->line = m->line;
	p->rows++;
	p->file_rows++;
}

void show_grep_page(struct grep_printer *p, const struct grep_out *out)
{
	for (size_t i = 0; i < out->matches.n; i++) {
		const struct grep_match *m = &out->matches.v[i], *next = m + 1;
		struct strs after = m->after;
		print_row(p, m);
		bool same = i + 1 < out->matches.n && !strcmp(next->path, m->path) &&
		    !strcmp(next->repo_uri, m->repo_uri);
		if (same) /* the next match prints its own line */
			after.n = MIN(after.n, next->line - m->line - 1);
		print_around(p, &after, m->line + 1);
	}
	for (size_t i = 0; i < out->files.n; i++) {
		const struct grep_file_row *f = &out->files.v[i];
		say(stdout, "%s/%s\n", root_of(p, f->repo_uri, f->repo), f->path);
		p->rows++;
	}
}

void show_grep_end(struct grep_printer *p)
{
	if (p->style != GREP_JSON)
		return;
	print_end(p);
	printf("{\"type\":\"summary\",\"data\":{\"stats\":{\"matched_lines\":%llu,"
	       "\"searches_with_match\":%llu}}}\n",
	    p->rows, p->files);
}

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

static void print_span(const struct grep_match *m, unsigned long long column,
    unsigned long long length, const char *before)
{
	unsigned long long cut = m->text_column ? m->text_column - 1 : 0, n = strlen(m->text);
	unsigned long long start = column - 1;
	struct buf text = { 0 };

	if (start >= cut && start - cut <= n)
		buf_put(&text, m->text + (start - cut), MIN(length, n - (start - cut)));
	else
		buf_str(&text, "");
	printf("%s{", before);
	print_text("match", text.p, "");
	printf(",\"start\":%llu,\"end\":%llu}", start, start + length);
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
	print_span(m, m->column, m->length, "");
	for (size_t i = 0; i < m->more.n; i++)
		print_span(m, m->more.v[i].column, m->more.v[i].length, ",");
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

/* A part of a line, by bytes; what it has behind its end is left out. */
static void print_part(const char *text, size_t from, size_t to)
{
	size_t n = strlen(text);

	if (from < n)
		say(stdout, "%.*s", (int)(MIN(to, n) - from), text + from);
}

static void print_colored(const struct grep_match *m)
{
	size_t cut = m->text_column ? m->text_column - 1 : 0, at = 0;

	for (size_t i = 0; i <= m->more.n; i++) {
		size_t column = i ? m->more.v[i - 1].column : m->column;
		size_t length = i ? m->more.v[i - 1].length : m->length;
		size_t start = column - 1 - MIN(cut, column - 1);
		print_part(m->text, at, start);
		fputs(MATCH_COLOR, stdout);
		print_part(m->text, start, start + length);
		fputs(NO_COLOR, stdout);
		at = start + length;
	}
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

/*
 * What is read of a file, in tests/answers/facts.txt (text_cases.h): the header of a case is the path of its file.  Definitions,
 * contracts, then what the graph is made of, where definitions are and what a search sees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/err.h"
#include "shard/parse/parser.h"
#include "tests/facts_print.h"
#include "tests/text_cases.h"

static struct parser *parser;

/* The begin and the end of a text, on one line. */
static void put_ends(FILE *out, const char *text, size_t n)
{
	enum { MOST = 24 };
	bool cut = n > 2 * MOST;

	for (size_t i = 0; i < n; i++) {
		if (cut && i == MOST) {
			fputs(" ... ", out);
			i = n - MOST;
		}
		fputc(strchr("\n\r\t", text[i]) ? ' ' : text[i], out);
	}
	fputc('\n', out);
}

/* Where definitions are, the rest of their comments, names that are none, and what a search sees. */
static void put_places(FILE *out, const struct facts *f, const char *text)
{
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		fprintf(out, "at %s: ", d->qualified);
		put_ends(out, text + d->start_byte, d->end_byte - d->start_byte);
		if (d->doc && strchr(d->doc, '\n')) {
			fputs("doc: ", out);
			put_ends(out, d->doc, strlen(d->doc));
		}
	}
	for (size_t i = 0; i < f->minors.n; i++) {
		const struct minor_name *m = &f->minors.v[i];
		fprintf(out, "at minor %s: ", m->name);
		put_ends(out, text + m->start_byte, m->end_byte - m->start_byte);
	}
	for (size_t i = 0; i < f->documents.n; i++) {
		const struct document *d = &f->documents.v[i];
		fprintf(out, "document %s %u-%u of %zu: ", facts_place(f, d->definition), d->start_line,
		    d->end_line, d->nbody);
		put_ends(out, d->body, d->nbody);
	}
}

static void says(const char *path, const char *text, size_t n, struct buf *said, struct arena *a)
{
	struct facts f = { 0 };
	char *lines = NULL;
	size_t length;
	FILE *out = open_memstream(&lines, &length);

	parse(parser, lang_detect(path, text, n), text, n, 0, a, &f);
	fprintf(out, "%s%s%s\n", lang_name(lang_detect(path, text, n)),
	    f.has_errors ? " has_errors" : "", f.generated ? " generated" : "");
	facts_print(out, &f, false);
	facts_print_graph(out, &f);
	put_places(out, &f, text);
	fclose(out);
	buf_put(said, lines, length);
	free(lines);
}

static void what_is_read(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	assert_non_null(parser);
	text_cases_check("tests/answers/facts.txt", says);
	parser_free(parser);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

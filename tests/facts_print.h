#ifndef TESTS_FACTS_PRINT_H
#define TESTS_FACTS_PRINT_H
/* Facts as lines that a person reads: the golden tests' format. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "shard/facts.h"

/* Definitions: KIND QUALIFIED LINES [flags]; below them signature and first line of the doc.  Then contracts. */
static inline void facts_print(FILE *out, const struct facts *f, bool documents)
{
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		fprintf(out, "%s %s %u-%u%s%s%s%s\n", d->kind, d->qualified, d->start_line, d->end_line,
		    d->exported ? " exported" : "", d->test ? " test" : "", d->parent >= 0 ? " in " : "",
		    d->parent >= 0 ? f->definitions.v[d->parent].name : "");
		if (d->signature)
			fprintf(out, "\t%s\n", d->signature);
		if (d->doc)
			fprintf(out, "\t\"%.*s\"\n", (int)strcspn(d->doc, "\n"), d->doc);
	}
	for (size_t i = 0; i < f->contracts.n; i++) {
		const struct fact *c = &f->contracts.v[i];
		fprintf(out, "%s %s %s%s%s%s %s %llu-%llu %s%s%s%s%s\n", c->side, c->method, c->host ? "[" : "",
		    c->host ? c->host : "", c->host ? "]" : "", c->path, c->framework, (unsigned long long)c->line,
		    (unsigned long long)c->end_line, c->symbol ? c->symbol : "-", c->raw ? " raw " : "", c->raw ? c->raw : "",
		    c->reason ? " reason " : "", c->reason ? c->reason : "");
		for (size_t k = 0; k < c->steps.n; k++)
			fprintf(out, "\t%llu: %s\n", (unsigned long long)c->steps.v[k].line, c->steps.v[k].text);
	}
	for (size_t i = 0; documents && i < f->documents.n; i++) {
		const struct document *d = &f->documents.v[i];
		fprintf(out, "document %u-%u %s\n----\n%.*s\n----\n", d->start_line, d->end_line,
		    d->definition < 0 ? "(gap)" : f->definitions.v[d->definition].qualified, (int)d->nbody, d->body);
	}
}
#endif

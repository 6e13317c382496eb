#ifndef TESTS_FACTS_PRINT_H
#define TESTS_FACTS_PRINT_H
/* Facts as readable lines: the format of the golden tests. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "shard/facts/facts.h"

static inline const char *facts_place(const struct facts *f, int definition)
{
	return definition < 0 ? "-" : f->definitions.v[definition].qualified;
}

/*
 * Imports, bases, types and values of definitions, locals and references, one per line, in source order.
 *   import MODULE [name N] [as ALIAS] [again] [include]      base DERIVED extends|implements|either TYPE
 *   type DEFINITION T     value DEFINITION EXPRESSION        local|parameter NAME [: TYPE] [= VALUE]
 *   call|new|type|value [RECEIVER .] NAME [(ARGUMENTS)]
 */
static inline void facts_print_graph(FILE *out, const struct facts *f)
{
	static const char *const kinds[] = { "call", "new", "type", "value" };
	static const char *const relations[] = { "extends", "implements", "either" };

	if (f->package)
		fprintf(out, "package %s\n", f->package);
	for (size_t i = 0; i < f->imports.n; i++) {
		const struct import *m = &f->imports.v[i];
		fprintf(out, "%u %s import %s%s%s%s%s%s%s\n", m->line, facts_place(f, m->definition), m->module,
		    m->name ? " name " : "", m->name ? m->name : "", m->alias ? " as " : "", m->alias ? m->alias : "",
		    m->again ? " again" : "", m->include ? " include" : "");
	}
	for (size_t i = 0; i < f->bases.n; i++) {
		const struct base_type *b = &f->bases.v[i];
		fprintf(out, "%u %s %s %s\n", b->line, b->owner ? b->owner : facts_place(f, b->definition),
		    relations[b->relation], b->type);
	}
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		if (d->type || d->value)
			fprintf(out, "%u %s %s%s%s%s%s\n", d->start_line, d->kind, d->qualified, d->type ? " : " : "",
			    d->type ? d->type : "", d->value ? " = " : "", d->value ? d->value : "");
	}
	for (size_t i = 0; i < f->locals.n; i++) {
		const struct local *l = &f->locals.v[i];
		fprintf(out, "%u %s %s %s%s%s%s%s\n", l->line, facts_place(f, l->definition),
		    l->parameter ? "parameter" : "local", l->name, l->type ? " : " : "", l->type ? l->type : "",
		    l->value ? " = " : "", l->value ? l->value : "");
	}
	for (size_t i = 0; i < f->references.n; i++) {
		const struct reference *r = &f->references.v[i];
		fprintf(out, "%u %s %s %s%s%s", r->line, facts_place(f, r->definition), kinds[r->kind],
		    r->receiver ? r->receiver : "", r->receiver ? " . " : "", r->name);
		if (r->kind <= REF_NEW)
			fprintf(out, r->arguments < 0 ? " (?)" : " (%d)", r->arguments);
		fputc('\n', out);
	}
}

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
	for (size_t i = 0; i < f->minors.n; i++) {
		const struct minor_name *m = &f->minors.v[i];
		fprintf(out, "minor %s %s %u-%u\n", m->kind, m->name, m->start_line, m->end_line);
	}
	for (size_t i = 0; i < f->contracts.n; i++) {
		const struct fact *c = &f->contracts.v[i];
		fprintf(out, "%s %s %s%s%s%s%s%s %s %llu-%llu %s%s%s%s%s%s%s%s\n", c->side, c->method, c->host ? "[" : "",
		    c->host ? c->host : "", c->host ? "]" : "", c->path, c->to ? " => " : "", c->to ? c->to : "",
		    c->framework, (unsigned long long)c->line,
		    (unsigned long long)c->end_line, c->symbol ? c->symbol : "-", c->raw ? " raw " : "", c->raw ? c->raw : "",
		    c->reason ? " reason " : "", c->reason ? c->reason : "", c->partial ? " partial" : "", c->scope ? " " : "", c->scope ? c->scope : "");
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

/* Prints the inventory of packages. */
#include "coordinator/cli/output/show_internal.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

/* `acme/web package.json:4`. */
static const char *place_text(
    const char *repo_uri, const char *file, uint64_t line, const struct repo_names *names)
{
	return arena_printf(repo_names_arena(names), "%s %s:%llu", repo_names_get(names, repo_uri),
	    text_or_empty(file), (unsigned long long)line);
}

/* Both texts with a blank in between, unless one is empty. */
static const char *join(const char *s, const char *more, struct arena *a)
{
	if (!*s)
		return more;
	return arena_printf(a, "%s %s", s, more);
}

/* `^3.2 at 3.4.1 (dev)`. */
static const char *range_text(const struct package_declaration *d, struct arena *a)
{
	const char *s = text_or_empty(d->range);

	if (d->pinned && compare_texts(d->version, d->range))
		s = join(s, arena_printf(a, "at %s", d->version), a);
	if (d->scope && strcmp(d->scope, "runtime"))
		s = join(s, arena_printf(a, "(%s)", d->scope), a);
	return s;
}

/* `external`, or the members that publish it and how much of it is used. */
static const char *publishers_text(
    const struct package_declaration *d, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *s = "";

	if (!d->publishers.n)
		return "external";
	for (size_t i = 0; i < d->publishers.n; i++)
		s = arena_printf(a, "%s%s%s", s, i ? " or " : "published by ",
		    repo_names_get(names, d->publishers.v[i]));
	if (d->uses)
		s = arena_printf(a, "%s, %llu uses", s, (unsigned long long)d->uses);
	return s;
}

static void show_package(
    struct text_table *t, const struct package_row *r, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *name = arena_printf(
	    a, "%s %s", text_or_empty(r->ecosystem), text_or_empty(r->name));

	for (size_t i = 0; i < r->declarations.n; i++) {
		const struct package_declaration *d = &r->declarations.v[i];
		text_table_row(t, 4, name, range_text(d, a),
		    place_text(d->repo_uri, d->file, d->line, names), publishers_text(d, names));
	}
	if (r->total)
		return;
	for (size_t i = 0; i < r->publishers.n; i++) {
		const struct package_publisher *p = &r->publishers.v[i];
		text_table_row(t, 4, name, p->version, place_text(p->repo_uri, p->file, p->line, names),
		    "published, not declared");
	}
}

void show_packages(const void *m, const struct repo_names *names)
{
	const struct packages_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->packages.n; i++)
		show_package(t, &o->packages.v[i], names);
	text_table_print(t, stdout);
	say(stdout, "%llu declarations, %llu packages, %llu of them external\n",
	    (unsigned long long)o->total, (unsigned long long)o->total_packages,
	    (unsigned long long)o->total_external);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

/* atoll packages and atoll sbom: which packages a repository or a group uses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/output/cyclonedx.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/show_results.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/net/crypto.h"

enum { PAGE = 1000 };

/* The repository, or if none is named the group; with both, the repository within the group. */
static void args_subject(struct cli *cli, struct buf *b)
{
	if (cli->o.group.n)
		args_str(b, "group", cli->o.group.v[0]);
	else if (!cli->args.n)
		args_str(b, "group", "default");
	if (cli->args.n)
		args_repo(cli, b);
}

int cmd_packages(struct cli *cli)
{
	struct buf b = { 0 };

	args_subject(cli, &b);
	args_str(&b, "ecosystem", cli->o.ecosystem);
	args_str(&b, "name", cli->o.name);
	args_flag(&b, "external", cli->o.external);
	args_num(&b, "limit", cli->o.limit);
	args_str(&b, "cursor", cli->o.cursor);
	return show_call(cli, "packages", args_end(&b, cli->a));
}

/* ---- the bill of materials ---- */

/* All pages of the inventory. */
struct inventory {
	struct packages_out first;
	struct package_row *v;
	size_t n, cap;
};

static void add_rows(struct inventory *all, const struct packages_out *page)
{
	all->v = grow(all->v, &all->cap, all->n + page->packages.n, sizeof *all->v);
	for (size_t i = 0; i < page->packages.n; i++)
		all->v[all->n++] = page->packages.v[i];
}

static enum answer read_inventory(struct cli *cli, struct inventory *all)
{
	struct api_client c = client_from_options(cli);
	const char *cursor = NULL;

	do {
		struct packages_out page = { 0 };
		struct buf b = { 0 };
		args_subject(cli, &b);
		args_num(&b, "limit", PAGE);
		args_str(&b, "cursor", cursor);
		enum answer got = client_get(
		    &c, "packages", args_end(&b, cli->a), 0, &rec_packages_out, &page, cli->a, &cli->e);
		if (got != ANSWER_OK)
			return got;
		if (!cursor)
			all->first = page;
		add_rows(all, &page);
		cursor = page.next_cursor;
	} while (cursor);
	return ANSWER_OK;
}

/* A random UUID (RFC 9562, version 4). */
static const char *new_uuid(struct arena *a)
{
	unsigned char r[16];

	crypto_random(r, sizeof r);
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);
	const char *s = "";
	for (size_t i = 0; i < sizeof r; i++) {
		bool begins_part = i == 4 || i == 6 || i == 8 || i == 10;
		s = arena_printf(a, "%s%s%02x", s, begins_part ? "-" : "", r[i]);
	}
	return s;
}

static const char *name_of(struct cli *cli, const char *repo_uri)
{
	struct api_client c = client_from_options(cli);
	struct buf quoted = { 0 };

	buf_printf(&quoted, "\"%s\"", repo_uri);
	const char *name = repo_names_get(repo_names_for(&c, quoted.p, cli->a), repo_uri);
	buf_free(&quoted);
	return name;
}

static void print_bill(struct cli *cli, const struct inventory *all)
{
	const struct packages_out *o = &all->first;
	char now[CLOCK_ISO];

	clock_iso(now);
	struct bill_of_materials bill = {
		.subject = o->repo_uri,
		.is_group = !o->repo_uri,
		.repositories = o->repositories.v,
		.nrepositories = o->repositories.n,
		.packages = all->v,
		.npackages = all->n,
		.complete = o->complete,
		.uuid = new_uuid(cli->a),
		.time = now,
	};
	if (bill.is_group)
		bill.name = bill.subject = text_or_empty(o->group);
	else
		bill.name = name_of(cli, o->repo_uri);
	term_print_json(cyclonedx_json(&bill, cli->a));
}

static void warn(const struct packages_out *o)
{
	if (o->complete || !o->coverage)
		return;
	say(stderr, "The bill is incomplete: not all manifests are current.\n");
	for (size_t i = 0; i < o->coverage->failed.n; i++)
		say(stderr, "  %s: %s\n", text_or_empty(o->coverage->failed.v[i].repo_uri),
		    text_or_empty(o->coverage->failed.v[i].message));
}

int cmd_sbom(struct cli *cli)
{
	struct inventory all = { 0 };
	enum answer got = read_inventory(cli, &all);

	if (got == ANSWER_OK) {
		print_bill(cli, &all);
		warn(&all.first);
	}
	free(all.v);
	if (got == ANSWER_NONE)
		return EXIT_UNAVAILABLE;
	if (got == ANSWER_ERROR)
		return EXIT_TOOL;
	return EXIT_OK;
}

/* atoll repo ...: what is registered. */
#include <stdio.h>
#include <string.h>

#include "coordinator/cli/cli.h"
#include "coordinator/cli/client.h"
#include "coordinator/cli/records.h"
#include "coordinator/cli/show.h"
#include "coordinator/cli/source.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/progress.h"
#include "proto/json.h"

int cmd_repo_list(struct cli *cli)
{
	struct buf b = { 0 };

	args_num(&b, "limit", 200);
	return show_call(cli, "list_repos", args_end(&b, cli->a));
}

int cmd_repo_add(struct cli *cli)
{
	int worst = EXIT_OK;

	for (size_t i = 0; i < cli->args.n; i++) {
		struct buf b = { 0 };
		const char *source = source_of(cli->args.v[i], cli->a, &cli->e);
		if (!source) {
			fprintf(stderr, "atoll: %s\n", cli->e.msg);
			cli->e.code = ERR_NONE;
			worst = EXIT_TOOL;
			continue;
		}
		args_str(&b, "source", source);
		args_groups(&b, &cli->o.group);
		int rc = show_call(cli, "repo_add", args_end(&b, cli->a));
		if (rc == EXIT_DOWN)
			return rc;
		worst = rc ? rc : worst;
	}
	return worst;
}

/* The repo_uri of a folder of this machine that is registered, or NULL. */
static const char *uri_of_folder(struct cli *cli, const char *path)
{
	struct client c = client_of(cli);
	struct source_list_out all = { 0 };
	const char *source = source_of(path, cli->a, NULL);

	if (!source || client_get(&c, "source_list", "{}", 0, &rec_source_list_out, &all, cli->a, NULL))
		return NULL;
	for (size_t i = 0; i < all.sources.n; i++)
		if (all.sources.v[i].source && !strcmp(all.sources.v[i].source, source))
			return all.sources.v[i].repo_uri;
	return NULL;
}

/* A person's REPO: a folder, a repo_uri or URL, or a name. */
static void args_repo(struct cli *cli, struct buf *b)
{
	const char *typed = cli->args.v[0], *slash = strchr(typed, '/'), *uri = NULL;

	if (*typed == '/' || *typed == '.')
		uri = uri_of_folder(cli, typed);
	if (uri)
		args_str(b, "repo_uri", uri);
	else if (!strncmp(typed, "local:", 6) || strchr(typed, '@') || (slash && strchr(slash + 1, '/')))
		args_str(b, "repo_uri", typed);
	else
		args_str(b, "repo", typed);
}

int cmd_repo_remove(struct cli *cli)
{
	struct buf b = { 0 };

	args_repo(cli, &b);
	return show_call(cli, "repo_remove", args_end(&b, cli->a));
}

int cmd_repo_set(struct cli *cli)
{
	struct buf b = { 0 };

	if (!*cli->o.visibility) {
		err_set(&cli->e, ERR_INVALID_INPUT, "nothing to set");
		err_hint(&cli->e, "Give --visibility public, internal or private.");
		return EXIT_USAGE;
	}
	args_repo(cli, &b);
	args_str(&b, "visibility", cli->o.visibility);
	return show_call(cli, "repo_visibility", args_end(&b, cli->a));
}

static const struct repo_row *row_of(const struct list_repos_out *all, const char *uri)
{
	for (size_t i = 0; i < all->repos.n; i++)
		if (all->repos.v[i].repo_uri && !strcmp(all->repos.v[i].repo_uri, uri))
			return &all->repos.v[i];
	return NULL;
}

/* What is known of one repository, looked for on all pages. */
static int find_row(struct cli *cli, struct arena *a, const char *uri, struct repo_row *row)
{
	struct client c = client_of(cli);
	const char *cursor = NULL;

	do {
		struct list_repos_out page = { 0 };
		struct buf b = { 0 };
		args_num(&b, "limit", 200);
		args_str(&b, "cursor", cursor);
		if (client_get(&c, "list_repos", args_end(&b, a), 0, &rec_list_repos_out, &page, a, &cli->e))
			return -1;
		const struct repo_row *found = row_of(&page, uri);
		if (found) {
			*row = *found;
			return 0;
		}
		cursor = page.next_cursor;
	} while (cursor && *cursor);
	return err_set(&cli->e, ERR_NOT_FOUND, "%s is not registered any more", uri);
}

enum { PROBED = 5000 };	/* ms after which the coordinator surely knows of an ingest that was asked for */

/*
 * Whether the row shows what was asked for: a later index, the commit that was the head (another ingest can have been first),
 * or, of a URL that had nothing new, that nothing is under way.
 */
static bool is_there(const struct cli *cli, const struct repo_row *r, const struct repo_analyze_out *asked, int64_t waited)
{
	if (strcmp(r->status, "ready") || !r->freshness)
		return false;
	if (r->freshness->generation > asked->generation)
		return true;
	if (cli->o.force)
		return false;
	return asked->head ? !strcmp(asked->head, r->freshness->commit) : waited > PROBED && !(r->phase && *r->phase);
}

/* Until the ingest that was asked for is published, or failed. */
static int wait_index(struct cli *cli, struct repo_analyze_out *asked)
{
	struct progress *p = progress_new();
	int64_t since = clock_ms();

	for (;; clock_sleep(200)) {
		struct arena *a = arena_new();
		struct repo_row r = { 0 };
		int rc = find_row(cli, a, asked->repo_uri, &r) ? EXIT_DOWN : -1;
		uint64_t generation = !rc || !r.freshness ? 0 : r.freshness->generation;
		if (rc < 0 && r.total) {
			progress_put(p, r.repo_uri, r.name, "indexing",
			    (struct amount){ r.done, r.total, r.bytes_done, r.bytes_total });
			progress_draw(p);
		}
		/* An old failure is shown until the coordinator's next probe. */
		if (rc < 0 && !strcmp(r.status, "failed") && clock_ms() - since > PROBED) {
			err_set(&cli->e, ERR_NO_INDEX, "the index could not be built: %s", r.reason ? r.reason : "no reason given");
			err_hint(&cli->e, "Mend that and ask again; the shard tries by itself too.  `atoll doctor` looks at the rest.");
			rc = EXIT_TOOL;
		} else if (rc < 0 && is_there(cli, &r, asked, clock_ms() - since)) {
			fprintf(stderr, "ready: generation %llu, %llu files, %llu symbols\n", (unsigned long long)generation,
			    (unsigned long long)r.files, (unsigned long long)r.symbols);
			asked->generation = generation;
			rc = EXIT_OK;
		}
		arena_free(a);
		if (rc >= 0) {
			progress_free(p);
			return rc;
		}
	}
}

int cmd_repo_analyze(struct cli *cli)
{
	struct client c = client_of(cli);
	struct repo_analyze_out asked = { 0 };
	struct buf b = { 0 };

	args_repo(cli, &b);
	args_flag(&b, "force", cli->o.force);
	const char *args = args_end(&b, cli->a);
	if (!cli->o.wait)
		return show_call(cli, "repo_analyze", args);
	enum answer got = client_get(&c, "repo_analyze", args, 0, &rec_repo_analyze_out, &asked, cli->a, &cli->e);
	if (got != ANSWER_OK)
		return got == ANSWER_ERROR ? EXIT_TOOL : EXIT_DOWN;
	int rc = asked.started ? wait_index(cli, &asked) : EXIT_OK;
	if (rc)
		return rc;
	if (!asked.started)
		fprintf(stderr, "nothing to do: the head is indexed\n");
	if (cli->o.json) {
		struct buf out = { 0 };
		json_put(&rec_repo_analyze_out, &asked, &out);
		puts(out.p);
		buf_free(&out);
	}
	return EXIT_OK;
}

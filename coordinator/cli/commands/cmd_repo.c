/* atoll status and atoll repo ...: the registered repositories. */
#include <stdio.h>
#include <string.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/shard_folders.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/show_results.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/repo_argument.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/optional_text.h"
#include "proto/process/progress.h"
#include "proto/record/json.h"

enum { DELETE_WAIT_MS = 15000 };

int cmd_repo_list(struct cli *cli)
{
	struct buf b = { 0 };

	args_num(&b, "limit", 200);
	return show_call(cli, "list_repos", args_end(&b, cli->a));
}

/* Register one repository.  The exit code; an argument that is no repository is reported here. */
static int add_repo(struct cli *cli, const char *typed)
{
	struct buf b = { 0 };
	const char *source = typed;
	bool is_remote_path = *cli->o.host && *typed == '/';	/* cannot be checked here */

	if (!is_remote_path)
		source = source_resolve(typed, cli->a, &cli->e);
	if (!source) {
		say(stderr,
		    "atoll: %s\nName a folder of a git repository with a commit, or a URL to clone.\n",
		    cli->e.msg);
		cli->e = (struct err){ 0 };
		return EXIT_TOOL;
	}
	args_str(&b, "source", source);
	args_groups(&b, &cli->o.group);
	args_str(&b, "host", cli->o.host);
	return show_call(cli, "repo_add", args_end(&b, cli->a));
}

int cmd_repo_add(struct cli *cli)
{
	int worst = EXIT_OK;

	for (size_t i = 0; i < cli->args.n; i++) {
		int rc = add_repo(cli, cli->args.v[i]);
		if (rc == EXIT_UNAVAILABLE)
			return rc;
		if (rc)
			worst = rc;
	}
	return worst;
}

/* The repo_uri of a registered folder of this machine, or NULL. */
static const char *uri_of_folder(struct cli *cli, const char *path)
{
	struct api_client c = client_from_options(cli);
	struct source_list_out all = { 0 };
	const char *source = source_resolve(path, cli->a, NULL);

	if (!source || client_get(&c, "source_list", "{}", 0, &rec_source_list_out, &all, cli->a, NULL))
		return NULL;
	for (size_t i = 0; i < all.sources.n; i++)
		if (all.sources.v[i].source && !strcmp(all.sources.v[i].source, source))
			return all.sources.v[i].repo_uri;
	return NULL;
}

/* `local:…`, `user@host:path`, or something with at least two slashes. */
static bool is_repo_uri(const char *typed)
{
	const char *slash = strchr(typed, '/');

	if (!strncmp(typed, "local:", 6) || strchr(typed, '@'))
		return true;
	return slash && strchr(slash + 1, '/');
}

void args_repo(struct cli *cli, struct buf *b)
{
	const char *typed = cli->args.v[0], *uri = NULL;

	if (*typed == '/' || *typed == '.')
		uri = uri_of_folder(cli, typed);
	if (uri)
		args_str(b, "repo_uri", uri);
	else if (is_repo_uri(typed))
		args_str(b, "repo_uri", typed);
	else
		args_str(b, "repo", typed);
}

int cmd_status(struct cli *cli)
{
	struct buf b = { 0 };

	if (!cli->args.n)
		return show_call(cli, "status", "{}");
	args_repo(cli, &b);
	return show_call(cli, "repo_status", args_end(&b, cli->a));
}

/* Waits for the shard to end: its `atoll up` stops it after it sees that it is unregistered. */
static int delete_data(struct cli *cli, const char *collection)
{
	const char *data = runtime_data_dir(cli->o.data, cli->a);

	if (!*collection) {
		fprintf(stderr, "no shard has announced it, so there is no data to delete\n");
		return EXIT_OK;
	}
	if (shard_folder_delete(data, collection, DELETE_WAIT_MS, &cli->e))
		return EXIT_UNAVAILABLE;
	say(stderr, "deleted %s/%s\n", data, collection);
	return EXIT_OK;
}

int cmd_repo_remove(struct cli *cli)
{
	struct api_client c = client_from_options(cli);
	struct repo_remove_out gone = { 0 };
	struct buf b = { 0 };

	args_repo(cli, &b);
	args_str(&b, "host", cli->o.host);
	if (!cli->o.delete_data)
		return show_call(cli, "repo_remove", args_end(&b, cli->a));
	enum answer got = client_get(
	    &c, "repo_remove", args_end(&b, cli->a), 0, &rec_repo_remove_out, &gone, cli->a, &cli->e);
	if (got == ANSWER_NONE)
		return EXIT_UNAVAILABLE;
	if (got == ANSWER_ERROR)
		return EXIT_TOOL;
	say(stdout, "%s  %s\n", text_or_empty(gone.name), text_or_empty(gone.repo_uri));
	fflush(stdout);
	return delete_data(cli, text_or_empty(gone.collection));
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

/* Find a repository's row on the pages of list_repos. */
static int find_row(struct cli *cli, struct arena *a, const char *uri, struct repo_row *row)
{
	struct api_client c = client_from_options(cli);
	const char *cursor = NULL;

	do {
		struct list_repos_out page = { 0 };
		struct buf b = { 0 };
		args_num(&b, "limit", 200);
		args_str(&b, "cursor", cursor);
		if (client_get(
		        &c, "list_repos", args_end(&b, a), 0, &rec_list_repos_out, &page, a, &cli->e))
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

/* ---- waiting for an index ---- */

/* How long to wait until the coordinator knows the counts of a new index. */
enum { COUNTED_MS = 5000 };

/* Copy the strings that are read after the answer's arena is freed. */
static void keep_strings(struct job_row *j, struct arena *a)
{
	j->state = arena_str(a, j->state);
	j->note = arena_str(a, j->note);
	j->code = arena_str(a, j->code);
	j->message = arena_str(a, j->message);
	j->next_run = arena_str(a, j->next_run);
}

/* Wait until the job has ended or failed for the first time.  The exit code. */
static int wait_job(struct cli *cli, const char *id, const char *name, struct job_row *j)
{
	struct api_client c = client_from_options(cli);
	struct progress *p = progress_new();
	struct buf b = { 0 };
	bool answered = true, ended = false;

	args_str(&b, "id", id);
	const char *args = args_end(&b, cli->a);
	for (;;) {
		struct arena *a = arena_new();
		*j = (struct job_row){ 0 };
		answered = client_get(&c, "job_show", args, 0, &rec_job_row, j, a, &cli->e) == ANSWER_OK;
		ended = answered && (j->ended_at || j->code);
		if (ended) {
			keep_strings(j, cli->a);
		} else if (answered && j->total) {
			progress_update(
			    p, name, name, "indexing", (struct progress_amount){ j->done, j->total, 0, 0 });
			progress_draw(p);
		}
		arena_free(a);
		if (ended || !answered)
			break;
		clock_sleep(100);
	}
	progress_free(p);
	if (answered)
		return EXIT_OK;
	return EXIT_UNAVAILABLE;
}

static int report_failure(struct cli *cli, const char *id, const struct job_row *j)
{
	err_set(&cli->e, j->code ? err_code(j->code) : ERR_UNAVAILABLE,
	    "the index could not be built: %s", text_or_empty(j->message));
	if (j->next_run)
		err_hint(&cli->e, "Job %s is retried at %s; `atoll jobs cancel %s` cancels it.", id,
		    j->next_run, id);
	else
		err_hint(&cli->e, "Fix the cause and run it again; `atoll doctor` checks the rest.");
	return EXIT_TOOL;
}

/* Whether the row describes this generation with its counts. */
static bool is_counted(const struct repo_row *r, uint64_t generation)
{
	if (!r->freshness || r->freshness->generation < generation)
		return false;
	return !r->phase || strcmp(r->phase, "count") != 0;
}

/* Print the counts of the new index as soon as the coordinator has them.  The exit code. */
static int report_index(struct cli *cli, const char *repo_uri, uint64_t generation)
{
	int64_t end = clock_ms() + COUNTED_MS;

	for (;;) {
		struct arena *a = arena_new();
		struct repo_row r = { 0 };
		int rc = EXIT_OK;
		if (find_row(cli, a, repo_uri, &r))
			rc = EXIT_UNAVAILABLE;
		bool counted = !rc && is_counted(&r, generation);
		if (counted)
			fprintf(stderr, "ready: generation %llu, %llu files, %llu symbols\n",
			    (unsigned long long)r.freshness->generation, (unsigned long long)r.files,
			    (unsigned long long)r.symbols);
		arena_free(a);
		if (rc || counted || clock_ms() > end)
			return rc;
		clock_sleep(50);
	}
}

static int wait_index(struct cli *cli, struct repo_analyze_out *asked)
{
	struct job_row j;
	int rc = wait_job(cli, asked->job, asked->name, &j);

	if (rc)
		return rc;
	if (strcmp(j.state, "done"))
		return report_failure(cli, asked->job, &j);
	bool same = j.generation == asked->generation;
	asked->generation = j.generation;
	if (!same)
		return report_index(cli, asked->repo_uri, j.generation);
	say(stderr, "%s\n", j.note);
	return EXIT_OK;
}

int cmd_repo_analyze(struct cli *cli)
{
	struct api_client c = client_from_options(cli);
	struct repo_analyze_out asked = { 0 };
	struct buf b = { 0 };

	args_repo(cli, &b);
	args_flag(&b, "force", cli->o.force);
	const char *args = args_end(&b, cli->a);
	if (!cli->o.wait)
		return show_call(cli, "repo_analyze", args);
	enum answer got = client_get(
	    &c, "repo_analyze", args, 0, &rec_repo_analyze_out, &asked, cli->a, &cli->e);
	if (got == ANSWER_NONE)
		return EXIT_UNAVAILABLE;
	if (got == ANSWER_ERROR)
		return EXIT_TOOL;
	int rc = wait_index(cli, &asked);
	if (!rc && cli->o.json) {
		struct buf out = { 0 };
		json_put(&rec_repo_analyze_out, &asked, &out);
		term_print_json(out.p);
		buf_free(&out);
	}
	return rc;
}

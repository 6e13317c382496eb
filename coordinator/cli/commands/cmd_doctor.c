/* atoll doctor: a list of checks, each with its remedy. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "coordinator/cli/base/child_process.h"
#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/shard_folders.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/net/certificates.h"
#include "proto/base/version.h"
#include "proto/record/gaps.h"
#include "proto/record/json.h"

struct finding {
	const char *check, *state;	/* ok | warning | failed */
	const char *detail, *remedy;
};

struct doctor_report {
	struct cli *cli;
	struct arena *a;
	struct status_out is;		/* when a coordinator answers */
	bool answers;
	struct finding *v;
	size_t n, cap;
};

static void found(struct doctor_report *x, const char *check, const char *state, const char *detail,
    const char *remedy)
{
	x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n++] = (struct finding){ check, state, detail, remedy };
}

static void check_coordinator(struct doctor_report *x)
{
	struct api_client c = client_from_options(x->cli);
	struct err e = { 0 };
	const char *remedy = "start one with `atoll up PATH...`, or set ATOLL_URL";

	enum answer got = client_get(&c, "status", "{}", 10000, &rec_status_out, &x->is, x->a, &e);
	x->answers = got == ANSWER_OK;
	if (!x->answers) {
		if (got == ANSWER_ERROR && *e.hint)
			remedy = arena_str(x->a, e.hint);
		found(x, "coordinator", "failed", arena_str(x->a, e.msg), remedy);
		return;
	}
	if (!x->is.version || strcmp(x->is.version, ATOLL_VERSION))
		found(x, "coordinator", "warning",
		    arena_printf(x->a, "version %s, but this program is version %s", x->is.version,
		        ATOLL_VERSION),
		    "restart it with the programs of one version");
	else
		found(x, "coordinator", "ok",
		    arena_printf(x->a, "version %s at %s", x->is.version, x->is.http), "");
}

/* ---- repositories ---- */

/* The shard is down or degraded. */
static void unhealthy(struct doctor_report *x, const char *check, const struct repo_row *r)
{
	bool down = !strcmp(r->health, "down");
	const char *detail = arena_printf(x->a, "its shard is %s", r->health);
	const char *remedy = "it recovers when the cause is fixed; its log is in DATA/logs";

	if (r->since)
		detail = arena_printf(x->a, "%s since %s", detail, r->since);
	if (r->reason)
		detail = arena_printf(x->a, "%s: %s", detail, r->reason);
	if (down)
		remedy = arena_printf(x->a,
		    "`atoll up` restarts it; its log is in DATA/logs; `atoll repo remove %s` removes it",
		    r->name);
	found(x, check, down ? "failed" : "warning", detail, remedy);
}

static void behind(struct doctor_report *x, const char *check, const struct repo_row *r)
{
	const char *detail = "it is unknown how many commits its index is behind";
	const char *remedy = "the index follows HEAD: merge, or check out the default branch";

	if (r->freshness->behind > 0)
		detail = arena_printf(
		    x->a, "its index is %lld commits behind", (long long)r->freshness->behind);
	if (!r->source || *r->source != '/')
		remedy = arena_printf(x->a, "run `atoll repo analyze %s --wait`", r->name);
	found(x, check, "warning", detail, remedy);
}

/* What cannot be read of a repository; whether there is any. */
static bool check_gaps(struct doctor_report *x, const char *check, const struct repo_row *r)
{
	static const enum gap_effect effects[] = { GAP_FILES, GAP_HISTORY };
	bool any = false;

	for (size_t i = 0; i < LEN(effects); i++) {
		const char *lacks = gaps_describe(r->freshness, effects[i], x->a);
		if (!lacks)
			continue;
		any = true;
		found(x, check, "warning", arena_printf(x->a, "its index lacks %s", lacks),
		    arena_printf(x->a, "%s; then run `atoll repo analyze %s --wait`",
		        gaps_remedy(r->freshness, effects[i]), r->name));
	}
	return any;
}

/* "; lacks 1 path (too-large: ...)" for intact files over a limit. */
static const char *limits_of(struct doctor_report *x, const struct repo_row *r)
{
	const char *lacks = gaps_describe(r->freshness, GAP_LIMIT, x->a);

	if (!lacks)
		return "";
	return arena_printf(x->a, "; lacks %s", lacks);
}

static void check_index(struct doctor_report *x, const char *check, const struct repo_row *r)
{
	if (strcmp(r->status, "ready"))
		found(x, check, "warning",
		    arena_printf(x->a, "%s, %llu of %llu files", r->status, (unsigned long long)r->done,
		        (unsigned long long)r->total),
		    "wait until it is indexed");
	else if (r->indexing && r->indexing->last_error)
		found(x, check, "warning",
		    arena_printf(x->a, "its last job failed: %s", r->indexing->last_error),
		    arena_printf(x->a,
		        "fix the cause, then run `atoll repo analyze %s --wait`; see `atoll jobs list`",
		        r->name));
	else if (r->atoll_yaml)
		found(x, check, "warning", r->atoll_yaml, "the file is ignored until it is correct");
	else if (r->vectors_reason)
		found(x, check, "warning",
		    arena_printf(x->a, "searches find it only by words: %s", r->vectors_reason),
		    "the vectors are retried automatically");
	else if (r->freshness && r->freshness->behind)
		behind(x, check, r);
	else
		found(x, check, "ok",
		    arena_printf(x->a, "%llu files, %llu symbols%s", (unsigned long long)r->files,
		        (unsigned long long)r->symbols, limits_of(x, r)),
		    "");
}

static void check_repo(struct doctor_report *x, const struct repo_row *r)
{
	const char *check = arena_printf(x->a, "repository %s", r->name);
	const char *reason = "the index could not be built";
	bool gaps = check_gaps(x, check, r);
	bool only_gaps = gaps && r->reason && !strncmp(r->reason, "its index lacks ", 16);

	if (r->conflict)
		found(x, check, "warning", arena_printf(x->a, "conflict: %s", r->conflict),
		    "update or stop one of the clones; two different repositories need two names");
	if (!strcmp(r->status, "failed") && strcmp(r->health, "down")) {
		if (r->reason)
			reason = r->reason;
		found(x, check, "failed", reason,
		    arena_printf(
		        x->a, "fix the cause, then run `atoll repo analyze %s --wait`", r->name));
	} else if (strcmp(r->health, "healthy") && !only_gaps) {
		unhealthy(x, check, r);
	} else if (!gaps) {
		check_index(x, check, r);
	}
}

/* Declarations about calls that contradict each other or mean nothing. */
static void check_group(struct doctor_report *x, const char *group)
{
	struct api_client c = client_from_options(x->cli);
	struct group_status_out out = { 0 };
	struct buf in = { 0 };

	buf_str(&in, "{\"group\":");
	json_quote(&in, group);
	buf_byte(&in, '}');
	enum answer got = client_get(
	    &c, "group_status", in.p, 10000, &rec_group_status_out, &out, x->a, NULL);
	buf_free(&in);
	for (size_t i = 0; got == ANSWER_OK && i < out.declarations.n; i++) {
		const struct clue *d = &out.declarations.v[i];
		found(x, arena_printf(x->a, "group %s", group), "warning",
		    arena_printf(
		        x->a, "%s %s:%llu: %s", d->repo_uri, d->file, (unsigned long long)d->line, d->text),
		    "");
	}
}

static void check_groups(struct doctor_report *x)
{
	for (size_t i = 0; i < x->is.groups.n; i++)
		check_group(x, x->is.groups.v[i].name);
}

/* Sources that no shard has announced yet. */
static void check_sources(struct doctor_report *x)
{
	struct api_client c = client_from_options(x->cli);
	struct source_list_out all = { 0 };

	if (!x->answers ||
	    client_get(&c, "source_list", "{}", 10000, &rec_source_list_out, &all, x->a, NULL))
		return;
	for (size_t i = 0; i < all.sources.n; i++)
		if (!all.sources.v[i].repo_uri)
			found(x, arena_printf(x->a, "source %s", all.sources.v[i].source), "warning",
			    "no shard has announced it yet",
			    "see the output of `atoll up` on its machine, and the log in DATA/logs there");
}

static void check_repos(struct doctor_report *x)
{
	if (x->answers && !x->is.repos.n)
		found(x, "repositories", "warning", "none", "`atoll repo add PATH` adds one");
	for (size_t i = 0; i < x->is.repos.n; i++)
		check_repo(x, &x->is.repos.v[i]);
}

/* What confines the parsers of a repository, as its shard reports; NULL if it does not. */
static const char *sandbox_of(struct doctor_report *x, const struct repo_row *r)
{
	struct repo_status_out out = { 0 };
	struct api_client c = client_from_options(x->cli);
	struct buf in = { 0 };

	buf_str(&in, "{\"repo_uri\":");
	json_quote(&in, r->repo_uri);
	buf_byte(&in, '}');
	enum answer got = client_get(
	    &c, "repo_status", in.p, 10000, &rec_repo_status_out, &out, x->a, NULL);
	buf_free(&in);
	if (got == ANSWER_OK && out.sandbox && *out.sandbox)
		return out.sandbox;
	return NULL;
}

static void check_sandbox(struct doctor_report *x)
{
	const struct repo_row *lacks = NULL, *has = NULL;
	size_t n = 0;

	for (size_t i = 0; i < x->is.repos.n; i++) {
		const struct repo_row *r = &x->is.repos.v[i];
		if (!r->sandbox_lacks && !has)
			has = r;
		if (r->sandbox_lacks && !n++)
			lacks = r;
	}
	const char *sandbox = NULL;
	if (has)
		sandbox = sandbox_of(x, has);
	if (sandbox)
		found(x, "sandbox", "ok", sandbox, "");
	if (lacks)
		found(x, "sandbox", "warning",
		    arena_printf(x->a,
		        "%zu of %zu repositories are parsed without the full sandbox: %s, for example %s",
		        n, x->is.repos.n, lacks->sandbox_lacks, lacks->name),
		    "deploy/README.md lists what it needs; with ATOLL_SANDBOX=require such a shard does not"
		    " index");
}

static void check_certificate(struct doctor_report *x, const struct certificate_row *r)
{
	const char *check = arena_printf(x->a, "certificate %s", r->file);
	const char *remedy =
	    "renew it with `atoll certs issue DIR NAME --renew`; see deploy/README.md, also for a CA";

	if (r->days < 0)
		found(x, check, "failed", arena_printf(x->a, "expired on %.10s", r->until), remedy);
	else if (r->days < CERTS_RENEW_BEFORE / 86400)
		found(x, check, "warning", arena_printf(x->a, "expires on %.10s", r->until), remedy);
	else
		found(x, check, "ok", arena_printf(x->a, "valid until %.10s", r->until), "");
}

static void check_certificates(struct doctor_report *x)
{
	for (size_t i = 0; i < x->is.certificates.n; i++)
		check_certificate(x, &x->is.certificates.v[i]);
}

static void check_secret(struct doctor_report *x, const struct secret_use *u)
{
	const char *check = arena_printf(x->a, "%s's %s", u->program, u->secret);
	const char *detail = arena_printf(x->a, "from %s", u->from);

	if (u->shards == 1)
		detail = arena_printf(x->a, "%s, for the shard of %s", detail, u->repo);
	else if (u->shards)
		detail = arena_printf(x->a, "%s, for %llu shards, for example that of %s", detail,
		    (unsigned long long)u->shards, u->repo);
	if (u->fault)
		found(x, check, "warning", detail, u->fault);
	else
		found(x, check, "ok", detail, "");
}

/* Show which variable or option each secret came from, since several may be set. */
static void check_secrets(struct doctor_report *x)
{
	for (size_t i = 0; i < x->is.secrets.n; i++)
		check_secret(x, &x->is.secrets.v[i]);
	const char *own = "--config";
	if (getenv("ATOLL_TOKEN"))
		own = "ATOLL_TOKEN";
	if (*x->cli->o.token)
		found(x, "own token", "ok", arena_printf(x->a, "from %s", own), "");
}

static void check_git(struct doctor_report *x)
{
	const char *argv[] = { "git", "--version", NULL }, *version = child_git(argv, x->a);

	if (version)
		found(x, "git", "ok", version, "");
	else
		found(x, "git", "failed", "not found", "install git");
}

static void check_programs(struct doctor_report *x)
{
	static const char *const names[] = { "atoll-coordinator", "atoll-shard" };

	for (size_t i = 0; i < LEN(names); i++) {
		const char *path = child_program(names[i], x->a), *argv[] = { path, "--version", NULL };
		const char *version = child_output(argv, x->a);
		if (version)
			found(x, names[i], "ok", arena_printf(x->a, "%s, %s", path, version), "");
		else
			found(x, names[i], "failed", "not found",
			    "put atoll, atoll-coordinator and atoll-shard into one folder");
	}
}

/*
 * The data folder to look at: the one that was named, else that of the coordinator that answers, if
 * it is on this machine.
 */
static const char *data_folder(struct doctor_report *x)
{
	const char *of_coordinator = x->is.data;

	if (!*x->cli->o.data && of_coordinator && !access(of_coordinator, F_OK))
		return of_coordinator;
	return runtime_data_dir(x->cli->o.data, x->a);
}

static void check_data(struct doctor_report *x)
{
	const char *data = data_folder(x), *at = data, *detail = data;
	struct statvfs fs;

	while (access(at, F_OK) && strrchr(at, '/') > at)	/* the folder that would contain it */
		at = arena_strn(x->a, at, (size_t)(strrchr(at, '/') - at));
	if (at != data)
		detail = arena_printf(x->a, "%s, which does not exist yet", data);
	if (access(at, W_OK))
		found(x, "data folder", "failed", arena_printf(x->a, "%s: %s", at, strerror(errno)),
		    "choose another with --data DIR");
	else
		found(x, "data folder", "ok", detail, "");
	if (statvfs(at, &fs))
		return;
	double free_gb = (double)fs.f_bavail * (double)fs.f_frsize / 1e9;
	const char *room = arena_printf(x->a, "%.1f GB free", free_gb);
	if (free_gb < 1)
		found(x, "disk space", "warning", room,
		    "free some space: an index is about as large as the code");
	else
		found(x, "disk space", "ok", room, "");
}

static void check_collections(struct doctor_report *x)
{
	const char *data = data_folder(x), *left = "";
	size_t n, k = 0;
	struct shard_folder *v = shard_folders_list(data, &x->is, &n, x->a);
	uint64_t all = 0, lost = 0;

	for (size_t i = 0; i < n; i++) {
		all += v[i].bytes;
		if (v[i].known || v[i].served)
			continue;
		lost += v[i].bytes;
		if (!k++)
			left = v[i].path;
	}
	found(x, "indexes and mirrors", "ok",
	    arena_printf(x->a, "%zu, %llu MB", n, (unsigned long long)all >> 20), "");
	/* The folder of another coordinator contains indexes that this one does not know. */
	if (x->answers && k && runtime_serves_url(data, x->cli->o.url, x->a))
		found(x, "unregistered data", "warning",
		    arena_printf(x->a, "%zu folders, %llu MB, for example %s", k,
		        (unsigned long long)lost >> 20, left),
		    "`atoll up` deletes them after --keep-days; `atoll repo add` uses them again");
}

static void check_sockets(struct doctor_report *x)
{
	const char *run = runtime_run_dir(data_folder(x), x->a);
	const char *parent = arena_strn(x->a, run, (size_t)(strrchr(run, '/') - run));

	if (access(parent, W_OK))
		found(x, "socket folder", "failed", arena_printf(x->a, "%s: %s", parent, strerror(errno)),
		    "set XDG_RUNTIME_DIR to a short path that you may write to");
	else
		found(x, "socket folder", "ok", run, "");
}

static void print_json(const struct doctor_report *x, bool good)
{
	struct buf b = { 0 };

	buf_printf(&b, "{\"ok\":%s,\"checks\":[", good ? "true" : "false");
	for (size_t i = 0; i < x->n; i++) {
		const struct finding *f = &x->v[i];
		const char *const pairs[] = { "check", f->check, "state", f->state, "detail", f->detail,
			"remedy", f->remedy };
		buf_str(&b, i ? ",{" : "{");
		for (size_t j = 0; j < LEN(pairs); j++) {
			if (j)
				buf_byte(&b, j % 2 ? ':' : ',');
			json_quote(&b, pairs[j]);
		}
		buf_byte(&b, '}');
	}
	buf_str(&b, "]}");
	term_print_json(b.p);
	buf_free(&b);
}

static void print_text(const struct doctor_report *x)
{
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < x->n; i++) {
		const struct finding *f = &x->v[i];
		const char *text = f->detail;
		if (*f->remedy)
			text = arena_printf(x->a, "%s; %s", text, f->remedy);
		text_table_row(t, 3, f->state, f->check, text);
	}
	text_table_print(t, stdout);
}

int cmd_doctor(struct cli *cli)
{
	static void (*const checks[])(struct doctor_report *) = {
		check_coordinator,
		check_certificates,
		check_secrets,
		check_repos,
		check_groups,
		check_sources,
		check_sandbox,
		check_programs,
		check_git,
		check_data,
		check_collections,
		check_sockets,
	};
	struct doctor_report x = { .cli = cli, .a = cli->a };
	bool good = true;

	for (size_t i = 0; i < LEN(checks); i++)
		checks[i](&x);
	for (size_t i = 0; i < x.n; i++)
		good &= strcmp(x.v[i].state, "failed") != 0;
	if (cli->o.json)
		print_json(&x, good);
	else
		print_text(&x);
	free(x.v);
	if (good)
		return EXIT_OK;
	return EXIT_UNAVAILABLE;
}

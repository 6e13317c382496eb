#include "coordinator/cli/output/show_results.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/show_internal.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/record/json.h"

/* ---- repositories ---- */

static void show_repos(const struct repo_row *v, size_t n, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	struct text_table *t = text_table_new();

	if (!n)
		say(stdout, "no repositories; add some with `atoll repo add PATH` or `atoll up PATH...`\n");
	else
		text_table_row(
		    t, 8, "NAME", "HEALTH", "INDEX", "FILES", "SYMBOLS", "GROUPS", "REPO_URI", "");
	for (size_t i = 0; i < n; i++)
		text_table_row(t, 8, v[i].name, v[i].health,
		    show_index_state(v[i].status, v[i].done, v[i].total, a), show_number(v[i].files, a),
		    show_number(v[i].symbols, a), strs_join(&v[i].groups, a),
		    repo_names_uri(names, v[i].repo_uri),
		    show_gaps(show_remark(v[i].conflict, v[i].reason, v[i].indexing, v[i].atoll_yaml, a),
		        v[i].freshness, a));
	text_table_print(t, stdout);
}

static void show_groups(const struct group_row *v, size_t n, const struct repo_names *names)
{
	if (!n)
		say(stdout, "no groups; create one with `atoll group create NAME REPO...`\n");
	for (size_t i = 0; i < n; i++) {
		say(stdout, "%s%s\n", text_or_empty(v[i].name),
		    show_prefixed(": ", v[i].description, repo_names_arena(names)));
		for (size_t j = 0; j < v[i].members.n; j++)
			say(stdout, "  %s\n", repo_names_get(names, v[i].members.v[j]));
	}
}

static void show_list_repos(const void *m, const struct repo_names *names)
{
	const struct list_repos_out *o = m;

	show_repos(o->repos.v, o->repos.n, names);
	show_more(o->next_cursor);
}

static void show_status(const void *m, const struct repo_names *names)
{
	const struct status_out *o = m;

	say(stdout, "atoll %s at %s, up %llu s, %llu calls, %llu of them failed\n\n",
	    text_or_empty(o->version), text_or_empty(o->http), (unsigned long long)o->uptime_ms / 1000,
	    (unsigned long long)o->requests, (unsigned long long)o->failures);
	show_repos(o->repos.v, o->repos.n, names);
	say(stdout, "\n");
	show_groups(o->groups.v, o->groups.n, names);
}

static void show_source(const void *m, const struct repo_names *names)
{
	const struct source_row *o = m;
	const char *groups = "no group";

	if (o->groups.n)
		groups = strs_join(&o->groups, repo_names_arena(names));
	say(stdout, "%s joins %s\n", text_or_empty(o->source), groups);
}

static void show_repo(const void *m, const struct repo_names *names)
{
	const struct repo_out *o = m;

	say(stdout, "%s  %s\n", text_or_empty(o->name), repo_names_uri(names, o->repo_uri));
}

static void show_removed(const void *m, const struct repo_names *names)
{
	const struct repo_remove_out *o = m;

	say(stdout, "%s  %s\n", text_or_empty(o->name), repo_names_uri(names, o->repo_uri));
	if (o->hosts.n)
		say(stdout, "still served by %s\n", strs_join(&o->hosts, repo_names_arena(names)));
}

/* What the token may see and do: `groups a, web, at most internal, read-only`. */
static const char *limits(const struct token_row *r, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *s = show_prefixed("groups ", strs_join(&r->groups, a), a);

	for (size_t i = 0; i < r->repos.n; i++)
		s = arena_printf(a, "%s%s%s", s, *s ? ", " : "", repo_names_get(names, r->repos.v[i]));
	if (!*s)
		s = "all repositories";
	if (strcmp(text_or_empty(r->visibility), "private"))
		s = arena_printf(a, "%s, at most %s", s, text_or_empty(r->visibility));
	if (r->read_only)
		s = arena_printf(a, "%s, read-only", s);
	return s;
}

/* Only the token goes to standard output, so that a script can store it. */
static void show_token(const void *m, const struct repo_names *names)
{
	const struct token_create_out *o = m;
	const char *name = "", *what = "";

	if (o->token) {
		name = text_or_empty(o->token->name);
		what = limits(o->token, names);
	}
	puts(text_or_empty(o->secret));
	fflush(stdout);
	say(stderr,
	    "Token `%s` for %s.  It is not shown again; send it as ATOLL_TOKEN, or as"
	    " `Authorization: Bearer TOKEN`.\nFrom now on every request needs a token.\n",
	    name, what);
}

static void show_tokens(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct token_list_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->tokens.n; i++) {
		const struct token_row *r = &o->tokens.v[i];
		const char *used = "never used";
		if (r->last_used_at)
			used = arena_printf(a, "used %s", r->last_used_at);
		text_table_row(
		    t, 4, r->name, limits(r, names), show_prefixed("expires ", r->expires_at, a), used);
	}
	text_table_print(t, stdout);
	if (!o->tokens.n)
		say(stdout, "No tokens: every user of this machine may use the coordinator.\n");
}

static void show_revoked(const void *m, const struct repo_names *names)
{
	const struct token_revoke_out *o = m;

	(void)names;
	say(stdout, "%s is revoked\n", text_or_empty(o->name));
}

static void show_registry(const void *m, const struct repo_names *names)
{
	const struct registry_status_out *o = m;
	struct arena *a = repo_names_arena(names);
	struct text_table *t = text_table_new();

	say(stdout, "%s%s, %s%s\n", text_or_empty(o->kind), show_prefixed(" at ", o->at, a),
	    text_or_empty(o->state), show_prefixed(": ", o->message, a));
	for (size_t i = 0; i < o->coordinators.n; i++) {
		const struct coordinator_row *r = &o->coordinators.v[i];
		text_table_row(t, 5, r->id, r->host, r->http, r->leads ? "leads" : "",
		    !strcmp(r->id, o->id) ? "this one" : "");
	}
	text_table_print(t, stdout);
}

static void show_analyze(const void *m, const struct repo_names *names)
{
	const struct repo_analyze_out *o = m;

	const char *why = "already queued";
	if (o->started)
		why = text_or_empty(o->reason);
	say(stdout, "%s: %s, job %s, current generation %llu\n", repo_names_get(names, o->repo_uri),
	    why, text_or_empty(o->job), (unsigned long long)o->generation);
}

/* ---- groups ---- */

static void show_group_list(const void *m, const struct repo_names *names)
{
	const struct group_list_out *o = m;

	show_groups(o->groups.v, o->groups.n, names);
}

static void show_group(const void *m, const struct repo_names *names)
{
	show_groups(m, 1, names);
}

/* ---- the printer of each tool ---- */

static const struct {
	const char *as;		/* a tool, or a variant of its output */
	const struct record *rec;
	void (*show)(const void *, const struct repo_names *);
} printers[] = {
	{ "status", &rec_status_out, show_status },
	{ "repo_status", &rec_repo_status_out, show_repo_status },
	{ "list_repos", &rec_list_repos_out, show_list_repos },
	{ "repo_add", &rec_source_row, show_source },
	{ "repo_remove", &rec_repo_remove_out, show_removed },
	{ "repo_visibility", &rec_repo_out, show_repo },
	{ "repo_analyze", &rec_repo_analyze_out, show_analyze },
	{ "token_create", &rec_token_create_out, show_token },
	{ "token_list", &rec_token_list_out, show_tokens },
	{ "token_revoke", &rec_token_revoke_out, show_revoked },
	{ "registry_status", &rec_registry_status_out, show_registry },
	{ "job_list", &rec_job_list_out, show_jobs },
	{ "job_show", &rec_job_row, show_job },
	{ "job_cancel", &rec_job_row, show_job },
	{ "group_list", &rec_group_list_out, show_group_list },
	{ "group_create", &rec_group_row, show_group },
	{ "group_add", &rec_group_row, show_group },
	{ "group_remove", &rec_group_row, show_group },
	{ "group_delete", &rec_group_row, show_group },
	{ "group_status", &rec_group_status_out, show_group_status },
	{ "group_query", &rec_group_query_out, show_group_query },
	{ "group_contracts", &rec_group_contracts_out, show_contracts },
	{ "matrix", &rec_group_contracts_out, show_matrix },
	{ "calls", &rec_group_contracts_out, show_route_calls },
	{ "group_cross_repo_links", &rec_group_cross_repo_links_out, show_links },
	{ "repo_graph", &rec_repo_graph_out, show_graph },
	{ "group_sync", &rec_group_sync_out, show_sync },
	{ "packages", &rec_packages_out, show_packages },
	{ "explain_link", &rec_explain_link_out, show_why },
};

int show_error(struct cli *cli, const char *body)
{
	struct problem_answer p = { 0 };

	if (json_get_lax(&rec_problem_answer, &p, body, cli->a, NULL) || !p.error)
		return EXIT_TOOL;
	say(stderr, "Error (%s): %s\n", text_or_empty(p.error->code), text_or_empty(p.error->message));
	for (size_t i = 0; i < p.error->choices.n; i++)
		say(stderr, "  %s%s\n", text_or_empty(p.error->choices.v[i].repo_uri),
		    show_prefixed("  ", p.error->choices.v[i].name, cli->a));
	say(stderr, "Hint: %s\n", text_or_empty(p.error->hint));
	return EXIT_TOOL;
}

static int print(struct cli *cli, const struct api_client *c, const char *as, const char *body)
{
	for (size_t i = 0; i < LEN(printers); i++) {
		if (strcmp(printers[i].as, as))
			continue;
		void *m = arena_get(cli->a, 1, printers[i].rec->size);
		if (json_get_lax(printers[i].rec, m, body, cli->a, &cli->e))
			return EXIT_UNAVAILABLE;
		printers[i].show(m, repo_names_for(c, body, cli->a));
		return EXIT_OK;
	}
	term_print_json(body);
	return EXIT_OK;
}

int show_call(struct cli *cli, const char *tool, const char *args)
{
	struct api_client c = client_from_options(cli);

	return show_call_as(cli, &c, tool, tool, args);
}

int show_call_as(
    struct cli *cli, const struct api_client *c, const char *tool, const char *as, const char *args)
{
	const char *body;

	switch (client_call(c, tool, args, 0, &body, cli->a, &cli->e)) {
	case ANSWER_NONE:
		return EXIT_UNAVAILABLE;
	case ANSWER_ERROR:
		if (!cli->o.json)
			return show_error(cli, body);
		term_print_json(body);
		return EXIT_TOOL;
	case ANSWER_OK:
		break;
	}
	if (!cli->o.json)
		return print(cli, c, as, body);
	term_print_json(body);
	return EXIT_OK;
}

#include "coordinator/cli/output/show_results.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/call_matrix.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/show_internal.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/json.h"

static void show_coverage(const struct coverage *c, bool complete, const struct repo_names *names)
{
	if (!c || (complete && !c->stale.n))
		return;
	if (!complete)
		say(stdout, "\nincomplete: %zu of %llu members did not answer\n", c->failed.n,
		    (unsigned long long)c->members);
	for (size_t i = 0; i < c->failed.n; i++)
		say(stdout, "  %s: %s: %s\n", repo_names_get(names, c->failed.v[i].repo_uri),
		    plain(c->failed.v[i].code), plain(c->failed.v[i].message));
	for (size_t i = 0; i < c->stale.n; i++)
		if (c->stale.v[i].behind < 0)
			say(stdout, "  %s: it is not known how far its index is behind\n",
			    repo_names_get(names, c->stale.v[i].repo_uri));
		else
			say(stdout, "  %s: %lld commits behind\n",
			    repo_names_get(names, c->stale.v[i].repo_uri), (long long)c->stale.v[i].behind);
}

void show_more(const char *cursor)
{
	if (cursor && *cursor)
		say(stdout, "\nmore: --cursor %s\n", cursor);
}

/* ---- repositories ---- */

static const char *index_state(const char *status, uint64_t done, uint64_t total, struct arena *a)
{
	if (total && status && strcmp(status, "ready"))
		return arena_printf(
		    a, "%s %llu/%llu", plain(status), (unsigned long long)done, (unsigned long long)total);
	return plain(status);
}

/*
 * What is to be said of a repository: why it is not well, or what became of its last job, and when
 * it is tried again; else what is wrong with its atoll.yaml.
 */
static const char *remark(
    const char *reason, const struct index_state *s, const char *atoll_yaml, struct arena *a)
{
	if (!s || !s->last_error) {
		if (reason && *reason)
			return reason;
		return atoll_yaml;
	}
	return arena_printf(a, "%s%s%s", reason && *reason ? reason : s->last_error,
	    s->next_run ? "; again at " : "", plain(s->next_run));
}

static void show_repos(const struct repo_row *v, size_t n, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	struct text_table *t = text_table_new();

	if (!n)
		say(stdout, "no repositories; `atoll repo add PATH` or `atoll up PATH...` adds them\n");
	else
		text_table_row(
		    t, 8, "NAME", "HEALTH", "INDEX", "FILES", "SYMBOLS", "GROUPS", "REPO_URI", "");
	for (size_t i = 0; i < n; i++)
		text_table_row(t, 8, v[i].name, v[i].health,
		    index_state(v[i].status, v[i].done, v[i].total, a),
		    arena_printf(a, "%llu", (unsigned long long)v[i].files),
		    arena_printf(a, "%llu", (unsigned long long)v[i].symbols), strs_join(&v[i].groups, a),
		    repo_names_uri(names, v[i].repo_uri),
		    remark(v[i].conflict ? v[i].conflict : v[i].reason, v[i].indexing, v[i].atoll_yaml, a));
	text_table_print(t, stdout);
}

static void show_groups(const struct group_row *v, size_t n, const struct repo_names *names)
{
	if (!n)
		say(stdout, "no groups; `atoll group create NAME REPO...` makes one\n");
	for (size_t i = 0; i < n; i++) {
		say(stdout, "%s%s%s\n", plain(v[i].name), v[i].description ? ": " : "",
		    plain(v[i].description));
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

	say(stdout, "atoll %s at %s, up %llu s, %llu calls, %llu of them failed\n\n", plain(o->version),
	    plain(o->http), (unsigned long long)o->uptime_ms / 1000, (unsigned long long)o->requests,
	    (unsigned long long)o->failures);
	show_repos(o->repos.v, o->repos.n, names);
	say(stdout, "\n");
	show_groups(o->groups.v, o->groups.n, names);
}

static void show_source(const void *m, const struct repo_names *names)
{
	const struct source_row *o = m;

	say(stdout, "%s joins %s\n", plain(o->source),
	    o->groups.n ? strs_join(&o->groups, repo_names_arena(names)) : "no group");
}

static void show_repo(const void *m, const struct repo_names *names)
{
	const struct repo_out *o = m;

	say(stdout, "%s  %s\n", plain(o->name), repo_names_uri(names, o->repo_uri));
}

static void show_removed(const void *m, const struct repo_names *names)
{
	const struct repo_remove_out *o = m;

	say(stdout, "%s  %s\n", plain(o->name), repo_names_uri(names, o->repo_uri));
	if (o->hosts.n)
		say(stdout, "%s  %s\n", "it is still run by",
		    strs_join(&o->hosts, repo_names_arena(names)));
}

/* What a token is limited to. */
static const char *limits(const struct token_row *r, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *s = r->groups.n ? arena_printf(a, "groups %s", strs_join(&r->groups, a)) : "";

	for (size_t i = 0; i < r->repos.n; i++)
		s = arena_printf(a, "%s%s%s", s, *s ? ", " : "", repo_names_get(names, r->repos.v[i]));
	s = arena_printf(a, "%s%s%s", *s ? s : "all repositories",
	    strcmp(plain(r->visibility), "private") ? ", at most " : "",
	    strcmp(plain(r->visibility), "private") ? plain(r->visibility) : "");
	return arena_printf(a, "%s%s", s, r->read_only ? ", read-only" : "");
}

/* The token alone on standard output, so that a script can keep it. */
static void show_token(const void *m, const struct repo_names *names)
{
	const struct token_create_out *o = m;

	puts(plain(o->secret));
	fflush(stdout);
	say(stderr,
	    "Token `%s` for %s.  It is not shown again; give it as ATOLL_TOKEN, or as `Authorization: Bearer TOKEN`.\n"
	    "From now on whoever asks needs a token.\n",
	    o->token ? plain(o->token->name) : "", o->token ? limits(o->token, names) : "");
}

static void show_tokens(const void *m, const struct repo_names *names)
{
	const struct token_list_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->tokens.n; i++) {
		const struct token_row *r = &o->tokens.v[i];
		text_table_row(t, 4, r->name, limits(r, names),
		    r->expires_at ? arena_printf(repo_names_arena(names), "expires %s", r->expires_at) : "",
		    r->last_used_at ? arena_printf(repo_names_arena(names), "used %s", r->last_used_at) :
		                      "never used");
	}
	text_table_print(t, stdout);
	if (!o->tokens.n)
		say(stdout,
		    "No tokens: whoever reaches the coordinator, which is this machine only, may ask.\n");
}

static void show_revoked(const void *m, const struct repo_names *names)
{
	const struct token_revoke_out *o = m;

	(void)names;
	say(stdout, "%s opens nothing any more\n", plain(o->name));
}

static void show_registry(const void *m, const struct repo_names *names)
{
	const struct registry_status_out *o = m;
	struct text_table *t = text_table_new();

	(void)names;
	say(stdout, "%s%s%s, %s%s%s\n", plain(o->kind), o->at ? " at " : "", plain(o->at),
	    plain(o->state), o->message ? ": " : "", plain(o->message));
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

	say(stdout, "%s: %s, job %s, generation %llu until then\n", repo_names_get(names, o->repo_uri),
	    o->started ? plain(o->reason) : "asked for already", plain(o->job),
	    (unsigned long long)o->generation);
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

static void show_group_status(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct group_status_out *o = m;
	struct text_table *t = text_table_new();

	text_table_row(
	    t, 8, "NAME", "HEALTH", "INDEX", "BEHIND", "GENERATION", "COMMIT", "REPO_URI", "");
	for (size_t i = 0; i < o->repos.n; i++) {
		const struct member_status *r = &o->repos.v[i];
		text_table_row(t, 8, r->name, r->health, index_state(r->status, r->done, r->total, a),
		    r->staleness_lag_commits < 0 ?
		        "unknown" :
		        arena_printf(a, "%lld", (long long)r->staleness_lag_commits),
		    arena_printf(a, "%llu", (unsigned long long)r->generation),
		    arena_printf(a, "%.12s", plain(r->commit)), repo_names_uri(names, r->repo_uri),
		    remark(r->conflict ? r->conflict : r->reason, r->indexing, r->atoll_yaml, a));
	}
	text_table_print(t, stdout);
	if (o->contracts_synced_at)
		say(stdout, "contracts: built %s%s\n", o->contracts_synced_at, o->contracts_current ? "" :
		    "; some members have changed since, or are missing in them");
	else
		say(stdout, "contracts: not built; `atoll group sync` does\n");
	show_coverage(o->coverage, o->complete, names);
}

static void show_snippet(const char *s)
{
	for (s = plain(s); *s; s += strcspn(s, "\n"), s += *s == '\n') {
		size_t n = strcspn(s, "\n");
		say(stdout, "      | %.*s\n", (int)(n && s[n - 1] == '\r' ? n - 1 : n), s);
	}
}

/* Whether not one of the first page's results was found by a word or a name. */
static bool is_vector_only(const struct group_query_out *o)
{
	for (size_t i = 0; i < o->results.n; i++)
		for (size_t k = 0; k < o->results.v[i].sources.n; k++)
			if (strcmp(o->results.v[i].sources.v[k], "vector"))
				return false;
	return o->results.n && o->results.v[0].rank == 1 && o->mode && !strcmp(o->mode, "hybrid");
}

static void show_group_query(const void *m, const struct repo_names *names)
{
	const struct group_query_out *o = m;

	for (size_t i = 0; i < o->results.n; i++) {
		const struct group_hit *h = &o->results.v[i];
		say(stdout, "%3llu. %s  %s:%llu-%llu%s%s%s%s\n", (unsigned long long)h->rank,
		    plain(h->repo), plain(h->path), (unsigned long long)h->start_line,
		    (unsigned long long)h->end_line, h->kind ? "  " : "", plain(h->kind),
		    h->symbol ? " " : "", plain(h->symbol));
		if (h->snippet_start_line > h->start_line)
			say(stdout, "      | line %llu:\n", (unsigned long long)h->snippet_start_line);
		show_snippet(h->snippet);
	}
	if (o->without_vectors)
		say(stdout, "Found by words alone: %s.\n", o->without_vectors);
	if (is_vector_only(o))
		say(stdout, "None of these words was found; what is near them in meaning is shown.\n");
	if (o->hint)
		say(stdout, "%s\n", o->hint);
	say(stdout, "%zu of %llu results, %llu ms\n", o->results.n, (unsigned long long)o->total,
	    (unsigned long long)o->took_ms);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

static const char *end_text(const struct end *e, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);

	if (e)
		return arena_printf(a, "%s %s:%llu%s%s", repo_names_get(names, e->repo_uri), plain(e->file),
		    (unsigned long long)e->line, e->symbol ? " " : "", plain(e->symbol));
	return "";
}

/* One side of a link: the repository, and where in it. */
static const char *side_text(const char *repo_uri, const char *path, uint64_t line,
    const char *what, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *s = repo_names_get(names, repo_uri);

	if (path)
		s = arena_printf(a, line ? "%s %s:%llu" : "%s %s", s, path, (unsigned long long)line);
	if (what)
		return arena_printf(a, "%s %s", s, what);
	return s;
}

static void show_contract_totals(const struct group_contracts_out *o)
{
	if (o->totals)
		say(stdout, "%llu calls, %llu unresolved, %llu routes without a caller; built %s\n",
		    (unsigned long long)o->totals->contracts, (unsigned long long)o->totals->unresolved,
		    (unsigned long long)o->totals->producers_without_consumers,
		    o->synced_at ? o->synced_at : "never; `atoll group sync` does");
}

static void show_matrix(const void *m, const struct repo_names *names)
{
	const struct group_contracts_out *o = m;

	matrix_show(o, names);
	show_contract_totals(o);
	say(stdout, "each of them: --limit 200, or --json\n");
	show_coverage(o->coverage, o->complete, names);
}

static void show_contracts(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct group_contracts_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->contracts.n; i++) {
		const struct contract *c = &o->contracts.v[i];
		text_table_row(t, 3, c->method, c->path, end_text(c->producer, names));
		text_table_row(t, 3, "", c->ambiguous ? "  perhaps called by" : "  called by",
		    end_text(c->consumer, names));
	}
	for (size_t i = 0; i < o->unresolved.n; i++) {
		const struct unresolved *u = &o->unresolved.v[i];
		text_table_row(t, 3, u->consumer ? u->consumer->method : "",
		    u->consumer ? u->consumer->path : "",
		    arena_printf(a, "%s, called by %s", plain(u->reason), end_text(u->consumer, names)));
	}
	for (size_t i = 0; i < o->producers_without_consumers.n; i++) {
		const struct end *p = o->producers_without_consumers.v[i].producer;
		text_table_row(t, 3, p ? p->method : "", p ? p->path : "",
		    arena_printf(a, "%s, called by nobody", end_text(p, names)));
	}
	text_table_print(t, stdout);
	show_contract_totals(o);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

static void show_links(const void *m, const struct repo_names *names)
{
	const struct group_cross_repo_links_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->links.n; i++) {
		const struct link *l = &o->links.v[i];
		text_table_row(t, 4,
		    side_text(l->source_repo_uri, l->source_doc_path, l->source_line,
		        l->package ? l->package : l->source_symbol, names),
		    l->relation,
		    side_text(
		        l->target_repo_uri, l->target_doc_path, l->target_line, l->target_symbol, names),
		    l->evidence);
	}
	text_table_print(t, stdout);
	say(stdout, "%zu of %llu links\n", o->links.n, (unsigned long long)o->total);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

/* Whom a repository depends on, by how many links. */
static const char *needs(
    const struct repo_graph_out *o, const char *repo_uri, const struct repo_names *names)
{
	const char *out = "";

	for (size_t i = 0; i < o->edges.n; i++) {
		const struct repo_edge *e = &o->edges.v[i];
		uint64_t links = 0;
		for (size_t k = 0; k < e->relations.n; k++)
			links += e->relations.v[k].links;
		if (e->depends && !strcmp(plain(e->source), repo_uri))
			out = arena_printf(repo_names_arena(names), "%s%s%s (%llu)", out, *out ? ", " : "",
			    repo_names_get(names, e->target), (unsigned long long)links);
	}
	return out;
}

static void show_graph(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct repo_graph_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->repos.n; i++) {
		const struct repo_node *r = &o->repos.v[i];
		text_table_row(t, 4, repo_names_get(names, r->repo_uri), arena_printf(a, "%.3f", r->rank),
		    arena_printf(a, "needed by %llu", (unsigned long long)r->needed_by),
		    needs(o, plain(r->repo_uri), names));
	}
	text_table_print(t, stdout);
	for (size_t i = 0; i < o->cycles.n; i++) {
		say(stdout, "cycle:");
		for (size_t k = 0; k < o->cycles.v[i].repos.n; k++)
			say(stdout, " %s", repo_names_get(names, o->cycles.v[i].repos.v[k]));
		say(stdout, "\n");
	}
	show_coverage(o->coverage, o->complete, names);
}

static void show_sync(const void *m, const struct repo_names *names)
{
	const struct group_sync_out *o = m;

	say(stdout, "%s: %llu contract rows, %llu links, %s, %llu ms\n", plain(o->group),
	    (unsigned long long)o->contracts_written, (unsigned long long)o->links_written,
	    o->changed ? "changed" : "unchanged", (unsigned long long)o->took_ms);
	show_coverage(o->coverage, o->complete, names);
}

/* ---- which tool is printed how ---- */

static const struct {
	const char *as;		/* a tool, or a way to show its answer */
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
	{ "group_cross_repo_links", &rec_group_cross_repo_links_out, show_links },
	{ "repo_graph", &rec_repo_graph_out, show_graph },
	{ "group_sync", &rec_group_sync_out, show_sync },
};

int show_error(struct cli *cli, const char *body)
{
	struct problem_answer p = { 0 };

	if (json_get_lax(&rec_problem_answer, &p, body, cli->a, NULL) || !p.error)
		return EXIT_TOOL;
	say(stderr, "Error (%s): %s\n", plain(p.error->code), plain(p.error->message));
	for (size_t i = 0; i < p.error->choices.n; i++)
		say(stderr, "  %s%s%s\n", plain(p.error->choices.v[i].repo_uri),
		    p.error->choices.v[i].name ? "  " : "", plain(p.error->choices.v[i].name));
	say(stderr, "Hint: %s\n", plain(p.error->hint));
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

/* A call without a coordinator's threads: who may make it, how it ends, which repositories its arguments name, what its answer lacks. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/members/members.h"

struct caller;
static struct member **every_member(
    struct members *, const struct caller *, struct arena *, size_t *n);
static void view_of(struct members *, const struct member *, struct member_view *, struct arena *);
static bool has_several(struct members *, const struct member *);

#define members_all every_member
#define members_view view_of
#define members_has_replicas has_several
#include "coordinator/calls/call.c"
#define by_uri by_uri_of_notes
#include "coordinator/calls/partial_answers.c"
#undef by_uri
#include "coordinator/calls/resolve_repo.c"
#undef members_all
#undef members_view
#undef members_has_replicas

#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"

static struct coordinator co;
static struct arena *a;
static struct call *c;
static int ended;
static char dir[64];

/* ---- members ---- */

static struct {
	struct member m;
	const char *source;
	bool several;
} all[8];
static size_t nall;

static struct member *add(const char *repo_uri, const char *name, const char *source)
{
	all[nall].m = (struct member){ .repo_uri = repo_uri, .name = name };
	all[nall].source = source;
	return &all[nall++].m;
}

static struct member **every_member(
    struct members *m, const struct caller *caller, struct arena *arena, size_t *n)
{
	struct member **v = arena_many(arena, nall, struct member *);

	(void)m, (void)caller;
	*n = nall;
	for (size_t i = 0; i < nall; i++)
		v[i] = &all[i].m;
	return v;
}

static const struct freshness *stamp_of_all;

static void view_of(
    struct members *m, const struct member *x, struct member_view *v, struct arena *arena)
{
	(void)m, (void)arena;
	*v = (struct member_view){ .default_branch = "main", .stamp = stamp_of_all };
	for (size_t i = 0; i < nall; i++)
		if (&all[i].m == x)
			v->source = all[i].source;
}

static bool has_several(struct members *m, const struct member *x)
{
	(void)m;
	for (size_t i = 0; i < nall; i++)
		if (&all[i].m == x)
			return all[i].several;
	return false;
}

/* ---- calls ---- */

static void on_done(struct call *x)
{
	(void)x;
	ended++;
}

static const struct caller reader = { .name = "reader", .everything = true, .read_only = true },
                           limited = { .name = "limited" };

static struct call *begin_call(const char *tool, const struct caller *caller)
{
	call_free(c);
	ended = 0;
	c = call_new(&co, tool_get(tool), caller,
	    &(struct call_client){ .done = on_done, .ctx = &co, .key = &co, .via = "test" });
	c->out = arena_get(c->a, 1, c->tool->out->size);
	return c;
}

static int begin_test(void **state)
{
	struct err e = { 0 };

	(void)state;
	a = arena_new();
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-call.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	co = (struct coordinator){ .registry = registry_open(dir, &e), .admission = admission_new(0) };
	co.o.allow_global_scope = "";
	pthread_mutex_init(&co.calls.lock, NULL);
	strcpy(co.calls.prefix, "p");
	nall = 0;
	stamp_of_all = NULL;
	begin_call("query", &caller_local);
	return co.registry ? 0 : -1;
}

static int end_test(void **state)
{
	(void)state;
	call_free(c);
	c = NULL;
	registry_close(co.registry);
	admission_free(co.admission);
	pthread_mutex_destroy(&co.calls.lock);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void failed_with(enum err_code code, const char *msg, const char *hint)
{
	assert_int_equal(c->e.code, code);
	assert_string_equal(c->e.msg, msg);
	assert_string_equal(c->e.hint, hint);
	c->e = (struct err){ 0 };
}

/* ---- tools ---- */

static void what_is_offered(void **state)
{
	static const struct {
		const char *tool, *wanted;
		bool offered;
	} v[] = {
		{ "query", NULL, true },
		{ "query", "", true },
		{ "query", "default", true },
		{ "query", "all", true },
		{ "query", "owners", false },
		{ "query", "owners,query", true },
		{ "query", " , query ,", true },
		{ "query", "querys", false },
		{ "query", "quer", false },
		{ "owners", NULL, false },
		{ "owners", "all", true },
		{ "owners", "owners", true },
		{ "live", "all", false },
		{ "live", "live", false },
		{ "live", NULL, false },
	};
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		if (tool_offered(tool_get(v[i].tool), v[i].wanted) != v[i].offered)
			fail_msg("row %zu", i);
	assert_null(tool_get("nothing"));
	assert_null(tool_get(NULL));
	assert_int_equal(tool_check_offer(NULL, &e), 0);
	assert_int_equal(tool_check_offer("all", &e), 0);
	assert_int_equal(tool_check_offer("query, owners", &e), 0);
	assert_int_equal(tool_check_offer("query,live", &e), -1);
	assert_string_equal(
	    e.msg, "--tools: `live` is no tool; default, all, or names separated by commas");
	assert_int_equal(tool_check_offer("nothing", &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(tool_suggest("ownerss", NULL, a), "; did you mean `owners`?");
	assert_string_equal(tool_suggest("ownerss", "default", a), "");
}

static void who_may(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(caller_may(&reader, tool_get("query"), &e), 0);
	assert_int_equal(caller_may(&limited, tool_get("repo_analyze"), &e), 0);
	assert_int_equal(caller_may(&caller_local, tool_get("group_create"), &e), 0);
	assert_int_equal(caller_may(&reader, tool_get("group_create"), &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(
	    e.msg, "group_create needs a token that may write, and `reader` is read-only");
	assert_int_equal(caller_may(&limited, tool_get("group_create"), &e), -1);
	assert_string_equal(
	    e.msg, "group_create needs a token without limits, and `limited` is limited");
}

/* ---- the life of a call ---- */

static void ids_and_shares(void **state)
{
	struct caller x = { .name = "x" }, y = { .name = "y" }, again = { .name = "x" };

	(void)state;
	assert_int_equal(caller_hash(&caller_self), 0);
	assert_true(caller_hash(&x) == caller_hash(&again));
	assert_true(caller_hash(&x) != caller_hash(&y));
	assert_true(caller_hash(&x) == 0xaf63f54c86021707u);
	assert_int_equal(c->deadline_ms - c->start_ms, 60000);
	assert_ptr_equal(c->ctx, &co);
	struct call *first = c;
	c = NULL;
	calls_add(first);
	struct call *second = begin_call("query", &caller_local);
	calls_add(second);
	assert_string_equal(first->req, "p00000000");
	assert_string_equal(second->req, "p00000001");
	assert_ptr_equal(co.calls.first, second);
	c = NULL;
	struct call *third = begin_call("query", &caller_local);
	calls_add(third);
	calls_remove(second);
	assert_ptr_equal(third->next, first);
	assert_ptr_equal(first->prev, third);
	calls_remove(first);
	assert_null(third->next);
	calls_remove(third);
	assert_null(co.calls.first);
	call_free(first);
	call_free(second);
	call_free(NULL);
}

static void a_call_that_is_abandoned(void **state)
{
	(void)state;
	calls_add(c);
	assert_true(call_wait(c, NULL));
	call_abandon(&co, NULL);
	call_abandon(&co, &c);
	assert_true(call_wait(c, NULL));
	call_abandon(&co, &co);
	assert_false(call_wait(c, NULL));
	assert_true(is_too_late(c));
	failed_with(ERR_UNAVAILABLE, "the client has gone", c->e.hint);
	calls_remove(c);
	begin_call("group_create", &caller_local);
	calls_add(c);
	call_abandon(&co, &co); /* one that writes goes on */
	assert_true(call_wait(c, NULL));
	assert_false(is_too_late(c));
	c->deadline_ms = clock_ms() - 1;
	assert_true(is_too_late(c));
	failed_with(ERR_UNAVAILABLE, "its deadline passed while it waited", c->e.hint);
	calls_remove(c);
}

static void end_with(enum err_code code)
{
	calls_add(c);
	if (code)
		err_set(&c->e, code, "the message");
	call_end(c);
	assert_int_equal(ended, 1);
	assert_null(co.calls.first);
}

static void how_a_call_ends(void **state)
{
	(void)state;
	end_with(0);
	assert_int_equal(co.requests, 1);
	assert_int_equal(co.failures, 0);
	assert_null(c->problem.code);
	begin_call("query", &caller_local);
	end_with(ERR_NOT_FOUND);
	assert_int_equal(co.requests, 2);
	assert_int_equal(co.failures, 1);
	assert_string_equal(c->problem.code, "NOT_FOUND");
	assert_string_equal(c->problem.message, "the message");
	assert_ptr_equal(c->problem.hint, c->e.hint);
	assert_null(c->problem.error_code);
	assert_int_equal(c->problem.jsonrpc_code, 0);
	assert_int_equal(c->problem.retry_after_ms, 0);
	begin_call("query", &caller_local);
	end_with(ERR_AMBIGUOUS_REPO);
	assert_string_equal(c->problem.error_code, "AMBIGUOUS_REPO");
	assert_int_equal(c->problem.jsonrpc_code, -32602);
	/* when there may be room again */
	static const struct {
		int e_ms;
		uint64_t own_ms, want;
	} v[] = { { 0, 0, 1000 }, { 70, 0, 70 }, { 70, 9, 9 } };
	for (size_t i = 0; i < LEN(v); i++) {
		begin_call("query", &caller_local);
		err_set(&c->e, ERR_RATE_LIMITED, "x");
		c->e.retry_after_ms = v[i].e_ms;
		c->problem.retry_after_ms = v[i].own_ms;
		describe(c);
		assert_int_equal(c->problem.retry_after_ms, v[i].want);
	}
}

static void what_is_answered(void **state)
{
	struct buf b = { 0 };

	(void)state;
	begin_call("group_create", &caller_local);
	((struct group_row *)c->out)->name = "g";
	call_json(c, &b);
	assert_string_equal(b.p, "{\"name\":\"g\",\"members\":[]}");
	err_set(&c->e, ERR_NOT_FOUND, "why");
	err_hint(&c->e, "how");
	describe(c);
	b.n = 0;
	call_json(c, &b);
	assert_string_equal(
	    b.p, "{\"error\":{\"code\":\"NOT_FOUND\",\"message\":\"why\",\"hint\":\"how\"}}");
	buf_free(&b);
}

static unsigned last_step;
static char last_text[100];

static void on_step(struct call *x, unsigned steps, const char *what)
{
	(void)x;
	last_step = steps;
	snprintf(last_text, sizeof last_text, "%s", what);
}

static void steps(void **state)
{
	(void)state;
	call_step(c, "nobody hears %d", 1);
	assert_int_equal(c->steps, 0);
	c->step = on_step;
	call_step(c, "one of %d", 2);
	call_step(c, "two of %d", 2);
	assert_int_equal(last_step, 2);
	assert_string_equal(last_text, "two of 2");
}

static void pins(void **state)
{
	struct member *x = add("h/x", "x", NULL), *y = add("h/y", "y", NULL),
	              *z = add("h/z", "z", NULL);

	(void)state;
	all[0].several = all[1].several = true;
	call_pin(c, x, 5);
	call_pin(c, y, 6);
	call_pin(c, z, 7);
	assert_int_equal(call_pinned(c, x), 5);
	assert_int_equal(call_pinned(c, y), 6);
	assert_int_equal(call_pinned(c, z), 0);
	call_pin(c, x, 8);
	assert_int_equal(call_pinned(c, x), 8);
	assert_int_equal(c->npins, 2);
}

/* ---- which repository is meant ---- */

static const char *resolved(const char *repo, const char *repo_uri)
{
	struct member *m = resolve_repo(c, repo, repo_uri);

	return m ? m->repo_uri : "none";
}

static void ways_to_name_a_repository(void **state)
{
	static const struct {
		const char *repo, *repo_uri, *want;
	} v[] = {
		{ NULL, "github.com/acme/api", "github.com/acme/api" },
		{ NULL, "https://GitHub.com/acme/api.git", "github.com/acme/api" },
		{ NULL, "github.com/ACME/API", "github.com/acme/api" },
		{ "web", "github.com/acme/api", "github.com/acme/api" },
		{ NULL, "api", "none" },
		{ "acme/api", NULL, "github.com/acme/api" },
		{ "api", NULL, "github.com/acme/api" },
		{ "API", "", "github.com/acme/api" },
		{ "pi", NULL, "none" },
		{ "github.com/acme/api", NULL, "github.com/acme/api" },
		{ "web-site", NULL, "github.com/acme/web-site" },
		{ "kit", NULL, "local:0123456789abcdef" },
		{ "kit-123456", NULL, "local:0123456789abcdef" },
		{ "ki", NULL, "none" },
		{ NULL, "local:0123456789ab", "local:0123456789abcdef" },
		{ NULL, "local:0123456789a", "none" },
		{ NULL, "LOCAL:0123456789AB", "local:0123456789abcdef" },
		{ NULL, "local:0123456789ac", "none" },
		{ "folder", NULL, "github.com/acme/elsewhere" },
		{ "folder/", NULL, "none" },
		{ "srv/folder", NULL, "none" },
		{ "bare", NULL, "github.com/acme/web-site" },
	};

	(void)state;
	add("github.com/acme/api", "acme/api", "https://github.com/acme/api");
	add("github.com/acme/web-site", "acme/web-site", "/srv/bare/.git");
	add("local:0123456789abcdef", "kit-123456", NULL);
	add("github.com/acme/elsewhere", "acme/elsewhere", "/srv/folder");
	for (size_t i = 0; i < LEN(v); i++)
		if (strcmp(resolved(v[i].repo, v[i].repo_uri), v[i].want))
			fail_msg("row %zu: %s", i, resolved(v[i].repo, v[i].repo_uri));
}

static void what_the_caller_has_typed(void **state)
{
	struct member *api = add("github.com/acme/api", "acme/api", NULL),
	              *web = add("github.com/acme/web", "acme/web", NULL);

	(void)state;
	resolve_repo(c, "api", NULL);
	resolve_repo(c, NULL, "https://github.com/acme/web");
	assert_string_equal(resolve_handle(c, api), "api");
	assert_string_equal(resolve_handle(c, web), "acme/web");
	assert_int_equal(c->touched.n, 2);
	assert_string_equal(c->touched.v[0], "github.com/acme/api");
}

static void none_or_several(void **state)
{
	(void)state;
	assert_null(resolve_repo(c, NULL, NULL));
	failed_with(ERR_NO_INDEX, "there are no repositories yet",
	    "Run `atoll repo add PATH`, or start with `atoll up PATH...`.");
	add("h/acme/api", "acme/api", NULL);
	assert_string_equal(resolved(NULL, NULL), "h/acme/api");
	assert_string_equal(resolved("", ""), "h/acme/api");
	add("h/other/api", "other/api", NULL);
	add("local:0123456789abcdef", "api-123456", NULL);
	assert_null(resolve_repo(c, NULL, NULL));
	assert_int_equal(c->problem.total_matches, 3);
	assert_int_equal(c->problem.choices.n, 3);
	assert_string_equal(c->problem.choices.v[0].repo_uri, "h/acme/api");
	assert_string_equal(c->problem.choices.v[0].default_branch, "main");
	assert_null(c->problem.choices.v[0].name);
	assert_null(c->problem.choices.v[0].group);
	assert_string_equal(c->problem.choices.v[2].name, "api-123456");
	failed_with(ERR_AMBIGUOUS_REPO,
	    "neither `repo_uri` nor `repo` is given and there are 3 repositories", c->e.hint);
	assert_null(resolve_repo(c, "api", NULL));
	assert_int_equal(c->problem.total_matches, 2);
	failed_with(ERR_AMBIGUOUS_REPO, "`api` fits 2 repositories", c->e.hint);
}

static void unknown_names(void **state)
{
	static const char hint[] =
	    "Call list_repos or run `atoll repo list` to see the repositories; `atoll repo add PATH` adds one.";

	(void)state;
	add("github.com/acme/orders", "acme/orders", NULL);
	add("local:0123456789abcdef", "payments-123456", NULL);
	assert_null(resolve_repo(c, "acme/order", NULL));
	failed_with(
	    ERR_NOT_FOUND, "repository `acme/order` does not exist; did you mean `acme/orders`?", hint);
	assert_null(resolve_repo(c, NULL, "github.com/acme/order"));
	failed_with(ERR_NOT_FOUND,
	    "repository `github.com/acme/order` does not exist; did you mean `github.com/acme/orders`?",
	    hint);
	assert_null(resolve_repo(c, "paymentz", NULL));
	failed_with(
	    ERR_NOT_FOUND, "repository `paymentz` does not exist; did you mean `payments`?", hint);
	assert_null(resolve_repo(c, "https://me:secret@x/zzzzzzzz", NULL));
	failed_with(ERR_NOT_FOUND, "repository `https://x/zzzzzzzz` does not exist", hint);
}

static int scope_of(const struct scope *s, struct resolved_repos *out)
{
	c->e = (struct err){ 0 };
	return resolve_scope(c, s, "api", NULL, out);
}

static void scopes(void **state)
{
	const char *const names[] = { "web", "api", "web" };
	struct resolved_repos r;

	(void)state;
	co.o.allow_global_scope = "true";
	assert_int_equal(scope_of(&(struct scope){ .type = "all" }, &r), -1);
	assert_int_equal(c->e.code, ERR_NO_INDEX);
	add("h/acme/web", "acme/web", NULL);
	add("h/acme/api", "acme/api", NULL);
	assert_int_equal(scope_of(NULL, &r), 0);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.v[0]->name, "acme/api");
	assert_int_equal(scope_of(&(struct scope){ .type = "all" }, &r), 0);
	assert_int_equal(r.n, 2);
	co.o.allow_global_scope = "yes";
	assert_int_equal(scope_of(&(struct scope){ .type = "all" }, &r), -1);
	failed_with(ERR_FORBIDDEN, "scope {type:\"all\"} is not permitted here", c->e.hint);
	assert_int_equal(scope_of(&(struct scope){ .type = "" }, &r), -1);
	failed_with(ERR_INVALID_INPUT, "`scope.type` is missing: repo, repos or all", c->e.hint);
	assert_int_equal(scope_of(&(struct scope){ .type = "repo" }, &r), -1);
	failed_with(ERR_INVALID_INPUT, "`scope.repo` is missing: the repository to search", c->e.hint);
	assert_int_equal(scope_of(&(struct scope){ .type = "repo", .repo = "web" }, &r), 0);
	assert_string_equal(r.v[0]->name, "acme/web");
	assert_int_equal(scope_of(&(struct scope){ .type = "repo", .repo = "none" }, &r), -1);
	assert_int_equal(c->e.code, ERR_NOT_FOUND);
	assert_int_equal(scope_of(&(struct scope){ .type = "repos" }, &r), -1);
	failed_with(ERR_INVALID_INPUT, "`scope.repos` is empty",
	    "Name at least one repository; call list_repos to see them.");
	assert_int_equal(scope_of(&(struct scope){ .type = "repos",
	                              .repos = { (const char **)(uintptr_t)names, 3 } },
	                     &r),
	    0);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.v[0]->name, "acme/api");
	assert_string_equal(r.v[1]->name, "acme/web");
}

/* ---- what an answer lacks ---- */

static struct gap gaps[3];

static struct freshness lacking(const char *const *causes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		gaps[i] = (struct gap){ .cause = causes[i], .number = i + 1, .example = "x" };
	return (struct freshness){ .repo_uri = "h/x", .gaps = { gaps, n } };
}

/* "complete PARTIAL-ROWS|NOTES" of a call of `query` whose RPC read from this index. */
static const char *answer_of(enum rpc_id rpc, const struct freshness *f)
{
	const char *s = "";

	begin_call("group_query", &caller_local);
	partial_begin(c);
	struct group_query_out *out = c->out;
	out->complete = true;
	partial_note(c, &all[0].m, f, rpc);
	partial_end(c);
	s = out->complete ? "complete" : "incomplete";
	for (size_t i = 0; out->coverage && i < out->coverage->partial.n; i++)
		s = arena_printf(a, "%s %s:%llu", s, out->coverage->partial.v[i].cause,
		    (unsigned long long)out->coverage->partial.v[i].number);
	for (size_t i = 0; out->coverage && i < out->coverage->notes.n; i++)
		s = arena_printf(
		    a, "%s |%s %s", s, out->coverage->notes.v[i].code, out->coverage->notes.v[i].repo_uri);
	return s;
}

static void what_the_index_lacks(void **state)
{
	static const char *const files[] = { "missing" }, *const history[] = { "shallow" },
	                         *const limit[] = { "too-large" },
	                         *const several[] = { "too-large", "missing", "shallow" };

	(void)state;
	add("h/x", "x", NULL);
	struct freshness f = lacking(files, 1);
	assert_string_equal(answer_of(RPC_search, &f), "incomplete missing:1 |PARTIAL h/x");
	assert_string_equal(answer_of(RPC_file, &f), "complete");
	assert_string_equal(answer_of(RPC_owners, &f), "complete");
	assert_string_equal(answer_of(RPC_search, NULL), "complete");
	f = lacking(history, 1);
	assert_string_equal(answer_of(RPC_search, &f), "complete |PARTIAL h/x");
	assert_string_equal(answer_of(RPC_impact, &f), "complete");
	assert_string_equal(answer_of(RPC_owners, &f), "incomplete shallow:1 |PARTIAL h/x");
	f = lacking(limit, 1);
	assert_string_equal(answer_of(RPC_symbol, &f), "complete |LIMIT h/x");
	assert_string_equal(answer_of(RPC_owners, &f), "complete");
	f = lacking(several, 3);
	assert_string_equal(
	    answer_of(RPC_search, &f), "incomplete missing:2 |PARTIAL h/x |PARTIAL h/x |LIMIT h/x");
	f = lacking(several, 0);
	assert_string_equal(answer_of(RPC_search, &f), "complete");
}

static void what_was_not_found_may_be_there(void **state)
{
	static const char *const files[] = { "missing" };
	struct freshness f = lacking(files, 1);
	const char *what = gaps_describe(&f, GAP_FILES, a);

	(void)state;
	add("h/x", "x", NULL);
	for (int known = 0; known < 2; known++) {
		begin_call("query", &caller_local);
		err_set(&c->e, ERR_NOT_FOUND, "nothing");
		err_hint(&c->e, "The hint.");
		stamp_of_all = &f;
		partial_note(c, &all[0].m, known ? &f : NULL, RPC_symbol);
		partial_end(c);
		assert_string_equal(c->e.hint, arena_printf(a, "Its index lacks %s. The hint.", what));
	}
	begin_call("query", &caller_local);
	err_set(&c->e, ERR_UNAVAILABLE, "nothing");
	err_hint(&c->e, "The hint.");
	partial_note(c, &all[0].m, &f, RPC_symbol);
	partial_end(c);
	assert_string_equal(c->e.hint, "The hint.");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_offered),
		TEST(who_may),
		TEST(ids_and_shares),
		TEST(a_call_that_is_abandoned),
		TEST(how_a_call_ends),
		TEST(what_is_answered),
		TEST(steps),
		TEST(pins),
		TEST(ways_to_name_a_repository),
		TEST(what_the_caller_has_typed),
		TEST(none_or_several),
		TEST(unknown_names),
		TEST(scopes),
		TEST(what_the_index_lacks),
		TEST(what_was_not_found_may_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tokens: created, used, limited, expired, revoked, by this coordinator and by another one of the same registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/tokens.h"
#include "coordinator/base/options.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"

static char dir[64];
static struct arena *a;
static struct registry *r;
static struct tokens *all;
static struct coordinator_config o;
static const struct caller *forgotten;
static struct err e;

static void forget(void *arg, const struct caller *c)
{
	(void)arg;
	forgotten = c;
}

static void sql(const char *text)
{
	struct db *db = registry_begin(r, &e);

	if (!db || registry_end(r, db_exec(db, text, &e), &e))
		fail_msg("%s: %s", text, e.msg);
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-tokens.XXXXXX");
	assert_non_null(mkdtemp(dir));
	a = arena_new();
	e = (struct err){ 0 };
	forgotten = NULL;
	o = (struct coordinator_config){ .starter_token = "", .bootstrap_token_file = "" };
	r = registry_open(dir, &e);
	assert_non_null(r);
	sql("insert into repos (repo_uri, name, visibility, added_at) values ('h/o/open', 'open', 'public', '2026'),"
	    " ('h/o/inner', 'inner', 'internal', '2026'), ('h/o/shut', 'shut', 'private', '2026')");
	all = tokens_open(r, &o, forget, NULL, &e);
	assert_non_null(all);
	return 0;
}

static int end(void **state)
{
	(void)state;
	tokens_free(all);
	registry_close(r);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void reopen(void)
{
	tokens_free(all);
	all = tokens_open(r, &o, forget, NULL, &e);
	assert_non_null(all);
}

static const char *create(struct token_row row)
{
	char *secret = arena_get(a, TOKEN_SIZE, 1);

	row.created_at = "2026-01-01T00:00:00Z";
	row.visibility = row.visibility ? row.visibility : "private";
	if (tokens_create(all, &row, secret, &e))
		fail_msg("%s", e.msg);
	return secret;
}

static const struct caller *caller(const char *secret)
{
	e = (struct err){ 0 };
	return tokens_caller(all, secret, &e);
}

/* Which of the three repositories the token sees. */
static const char *seen(const char *secret)
{
	const struct caller *c = caller(secret);

	assert_non_null(c);
	return arena_printf(a, "%s%s%s", caller_sees(c, "h/o/open") ? "open " : "",
	    caller_sees(c, "h/o/inner") ? "inner " : "", caller_sees(c, "h/o/shut") ? "shut " : "");
}

static void a_token_opens(void **state)
{
	(void)state;
	assert_false(tokens_exist(all));
	assert_true(tokens_still_valid(all, &caller_local));
	const char *secret = create((struct token_row){ .name = "ann", .read_only = true });
	assert_int_equal(strlen(secret), TOKEN_SIZE - 1);
	assert_int_equal(strncmp(secret, "atoll_", 6), 0);
	assert_string_not_equal(secret, create((struct token_row){ .name = "bob" }));
	assert_true(tokens_exist(all));
	assert_false(tokens_still_valid(all, &caller_local)); /* from now on everybody needs one */
	const struct caller *c = caller(secret);
	assert_string_equal(c->name, "ann");
	assert_true(c->read_only && c->everything);
	assert_false(c->is_operator);
	assert_true(tokens_still_valid(all, c));
	assert_null(caller("atoll_0123456789012345678901234567890123456789"));
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(e.msg, "the token is unknown or revoked");
	reopen(); /* what is stored is its hash */
	assert_string_equal(caller(secret)->name, "ann");
	assert_true(caller(secret)->read_only);
}

static void names_of_tokens(void **state)
{
	static const char *const taken[] = { "ann", "local", "nobody", "self", "starter", "bootstrap" };
	char secret[TOKEN_SIZE];

	(void)state;
	create((struct token_row){ .name = "ann" });
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(
		    tokens_create(all,
		        &(struct token_row){ .name = taken[i], .visibility = "private", .created_at = "x" },
		        secret, &e),
		    -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
	}
	assert_int_equal(
	    tokens_create(all,
	        &(struct token_row){ .name = "a b", .visibility = "private", .created_at = "x" },
	        secret, &e),
	    -1);
}

static void what_a_limited_token_sees(void **state)
{
	const char *inner[] = { "h/o/inner" }, *g[] = { "g" };

	(void)state;
	const char *one = create((struct token_row){ .name = "one", .repos = { inner, 1 } });
	const char *public = create((struct token_row){ .name = "public", .visibility = "public" });
	const char *internal = create(
	    (struct token_row){ .name = "internal", .visibility = "internal" });
	const char *group = create((struct token_row){ .name = "group", .groups = { g, 1 } });
	const char *both = create((struct token_row){
	    .name = "both", .groups = { g, 1 }, .repos = { inner, 1 }, .visibility = "public" });
	const char *full = create((struct token_row){ .name = "full" });
	assert_string_equal(seen(one), "inner ");
	assert_string_equal(seen(public), "open ");
	assert_string_equal(seen(internal), "open inner ");
	assert_string_equal(seen(group), "");
	assert_string_equal(seen(both), "");
	assert_string_equal(seen(full), "open inner shut ");
	assert_true(token_names_group(caller(group)->token, "g"));
	assert_false(token_names_group(caller(group)->token, "h"));
	/* members join, and a repository becomes less public */
	const char *members[] = { "h/o/open", "h/o/shut" };
	assert_int_equal(groups_create(r, "g", "", &e), 0);
	assert_int_equal(groups_add(r, "g", members, 2, &e), 0);
	assert_string_equal(seen(group), "open shut ");
	assert_string_equal(seen(both), "open ");
	assert_int_equal(registry_visibility_put(r, "h/o/open", "private", &e), 0);
	assert_string_equal(seen(both), "");
	assert_string_equal(seen(public), "");
	tokens_tick(all);
	assert_false(caller_sees(caller(internal), "h/o/open"));
}

static void a_token_is_revoked(void **state)
{
	(void)state;
	const char *inner[] = { "h/o/inner" };
	const char *secret = create((struct token_row){ .name = "ann", .repos = { inner, 1 } });
	const struct caller *c = caller(secret);
	assert_true(caller_sees(c, "h/o/inner"));
	assert_int_equal(tokens_revoke(all, "ann", &e), 0);
	assert_ptr_equal(forgotten, c);
	assert_null(caller(secret));
	assert_false(tokens_still_valid(all, c));
	assert_false(caller_sees(c, "h/o/inner"));
	assert_false(tokens_exist(all));
	assert_int_equal(tokens_revoke(all, "ann", &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_string_not_equal(create((struct token_row){ .name = "ann" }), secret);
}

static void a_token_expires(void **state)
{
	(void)state;
	const char *old = create(
	    (struct token_row){ .name = "old", .expires_at = "2026-01-02T00:00:00Z" });
	const char *new = create(
	    (struct token_row){ .name = "new", .expires_at = "2999-01-01T00:00:00Z" });
	assert_null(caller(old));
	assert_string_equal(e.msg, "the token has expired");
	const struct caller *c = caller(new);
	assert_non_null(c);
	tokens_tick(all);
	assert_non_null(forgotten);
	assert_string_equal(forgotten->name, "old");
	forgotten = NULL;
	tokens_tick(all);
	assert_null(forgotten); /* once is enough */
	assert_true(tokens_still_valid(all, c));
}

/* Another coordinator of the same registry creates and revokes. */
static void tokens_of_another_coordinator(void **state)
{
	(void)state;
	struct tokens *other = tokens_open(r, &o, forget, NULL, &e);
	const char *secret = create((struct token_row){ .name = "ann" });
	assert_null(tokens_caller(other, secret, &e));
	tokens_reload(other);
	const struct caller *there = tokens_caller(other, secret, &e);
	assert_non_null(there);
	tokens_reload(other);
	assert_ptr_equal(tokens_caller(other, secret, &e), there); /* it is known already */
	assert_int_equal(tokens_revoke(all, "ann", &e), 0);
	tokens_reload(other);
	assert_ptr_equal(forgotten, there);
	assert_null(tokens_caller(other, secret, &e));
	assert_false(tokens_exist(other));
	tokens_free(other);
}

static void tokens_of_options(void **state)
{
	struct token_row *v;
	size_t n;

	(void)state;
	FILE *f = fopen(arena_printf(a, "%s/first", dir), "w");
	fputs("a secret of the operator\n", f);
	fclose(f);
	o.starter_token = "the secret of who started us";
	o.bootstrap_token_file = arena_printf(a, "%s/first", dir);
	reopen();
	assert_true(tokens_exist(all));
	assert_true(caller("a secret of the operator")->is_operator);
	assert_string_equal(caller("the secret of who started us")->name, "starter");
	create((struct token_row){ .name = "zoe" });
	create((struct token_row){ .name = "ann" });
	tokens_rows(all, &v, &n, a);
	assert_int_equal(n, 3);
	assert_string_equal(v[0].name, "ann");
	assert_string_equal(v[1].name, "bootstrap");
	assert_non_null(v[1].last_used_at);
	assert_null(v[0].last_used_at);
	assert_string_equal(v[2].name, "zoe");
	assert_int_equal(tokens_revoke(all, "bootstrap", &e), -1);
	assert_non_null(strstr(e.msg, "is not stored"));
	/* one that starts us alone asks for none of others */
	o.bootstrap_token_file = "";
	sql("delete from tokens");
	reopen();
	assert_false(tokens_exist(all));
	/* a short one is refused */
	f = fopen(arena_printf(a, "%s/first", dir), "w");
	fputs("nineteen characters\n", f);
	fclose(f);
	o.bootstrap_token_file = arena_printf(a, "%s/first", dir);
	e = (struct err){ 0 };
	assert_null(tokens_open(r, &o, forget, NULL, &e));
	assert_non_null(strstr(e.msg, "at least 20 characters"));
}

static void when_it_was_used_is_stored_at_the_end(void **state)
{
	struct token_row *v;
	size_t n;

	(void)state;
	caller(create((struct token_row){ .name = "ann" }));
	create((struct token_row){ .name = "bob" });
	reopen();
	tokens_rows(all, &v, &n, a);
	assert_int_equal(n, 2);
	assert_non_null(v[0].last_used_at);
	assert_null(v[1].last_used_at);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(a_token_opens),
		CASE(names_of_tokens),
		CASE(what_a_limited_token_sees),
		CASE(a_token_is_revoked),
		CASE(a_token_expires),
		CASE(tokens_of_another_coordinator),
		CASE(tokens_of_options),
		CASE(when_it_was_used_is_stored_at_the_end),
	};

	return cmocka_run_group_tests_name("tokens", tests, NULL, NULL);
}

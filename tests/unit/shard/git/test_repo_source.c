/* What --repo names: identities of URLs and paths, secrets that are left out, the mirror of a URL and its fetches. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/egress.h"
#include "proto/process/options.h"
#include "shard/base/options.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"
#include "shard/git/repo_source.h"

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help)                                                       \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

static struct arena *a;
static char dir[64];
static struct options o;
static struct err e;

static const char *in(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-source.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[] = { "atoll-shard", "--repo", "/nowhere", "--data", (char *)in("data"), NULL };
	o = (struct options){ 0 };
	if (options_parse(
	        rows, LEN(rows), &o, "", LEN(argv) - 1, argv, &(struct string_list){ 0 }, a, &e))
		fail_msg("%s", e.msg);
	return 0;
}

static int end(void **state)
{
	char cmd[100];

	(void)state;
	repo_safe_mirror(NULL);		/* it borrows the path from the arena */
	arena_free(a);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

static struct repo_source resolved(const char *repo)
{
	struct repo_source s;

	e = (struct err){ 0 };
	o.repo = repo;
	if (repo_source_resolve(&s, &o, a, &e))
		fail_msg("%s: %s", repo, e.msg);
	return s;
}

/* ---- URLs ---- */

static void secrets_of_a_url_are_left_out(void **state)
{
	static const char *const https[] = { "https://ann:secret@github.com/o/r.git",
		"https://secret@github.com/o/r.git", "https://a@b:secret@github.com/o/r.git" };

	(void)state;
	for (size_t i = 0; i < LEN(https); i++) {
		struct repo_source s = resolved(https[i]);
		assert_string_equal(s.url, "https://github.com/o/r.git");
		assert_string_equal(s.shown, s.url);
		assert_string_equal(s.repo_uri, "github.com/o/r");
		assert_string_equal(s.name, "o/r");
		assert_string_equal(repo_source_redact(https[i], a), "https://github.com/o/r.git");
	}
	struct repo_source s = resolved("ssh://git:secret@github.com/o/r.git");
	assert_string_equal(s.url, "ssh://git@github.com/o/r.git"); /* the user is needed */
	assert_string_equal(
	    resolved("ssh://git@github.com/o/r.git").url, "ssh://git@github.com/o/r.git");
	assert_string_equal(resolved("git@github.com:o/r.git").repo_uri, "github.com/o/r");
	assert_string_equal(
	    resolved("https://github.com/o/r@1.git").url, "https://github.com/o/r@1.git");
	assert_string_equal(repo_source_redact("/a/path", a), "/a/path");
}

static void where_a_mirror_is(void **state)
{
	(void)state;
	struct repo_source s = resolved("https://github.com/o/r.git");
	assert_string_equal(s.data, arena_printf(a, "%s/data/%s", dir, s.collection));
	assert_string_equal(s.mirrors, arena_printf(a, "%s.mirror", s.data));
	assert_string_equal(s.place, arena_printf(a, "%s/mirror.git", s.mirrors));
	struct stat st;
	assert_int_equal(stat(s.data, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(s.mirrors, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	/* older versions had it in the folder of the index */
	assert_int_equal(mkdir(arena_printf(a, "%s/mirror.git", s.data), 0700), 0);
	resolved("https://github.com/o/r.git");
	assert_int_equal(stat(s.place, &st), 0);
	assert_int_equal(mkdir(arena_printf(a, "%s/mirror.git", s.data), 0700), 0);
	resolved("https://github.com/o/r.git"); /* there is one in its place already */
	assert_int_equal(stat(arena_printf(a, "%s/mirror.git", s.data), &st), 0);
}

static void what_is_no_repository(void **state)
{
	struct repo_source s;

	(void)state;
	o.repo = "";
	assert_int_equal(repo_source_resolve(&s, &o, a, &e), -1);
	assert_non_null(strstr(e.msg, "--repo is missing"));
	e = (struct err){ 0 };
	o.repo = in("nowhere");
	assert_int_equal(repo_source_resolve(&s, &o, a, &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
}

/* ---- paths ---- */

static void names_of_paths(void **state)
{
	(void)state;
	run("git init -q -b main here && git init -q -b main hosted && git -C hosted remote add origin https://github.com/o/hosted.git && "
	    "mkdir here/below");
	struct repo_source s = resolved(in("here"));
	assert_null(s.url);
	assert_null(s.mirrors);
	assert_string_equal(s.place, in("here"));
	assert_string_equal(s.shown, in("here"));
	assert_int_equal(strncmp(s.repo_uri, "local:", 6), 0);
	assert_string_equal(repo_source_service_name(&s, a), "here");
	assert_int_equal(repo_source_fetch(&s, &o, a, &e), 0); /* there is nothing to fetch */
	struct repo_source h = resolved(in("hosted"));
	assert_string_equal(h.repo_uri, "github.com/o/hosted");
	assert_string_equal(h.name, "o/hosted");
	assert_string_equal(h.place, in("hosted"));
	assert_string_equal(repo_source_service_name(&h, a), "hosted");
	assert_string_not_equal(h.collection, s.collection);
}

/* ---- fetches ---- */

static const char *head_of(const struct repo_source *s)
{
	struct repo *r = repo_open(s->place, &e);
	char *oid = arena_get(a, REPO_OID_SIZE, 1);

	if (!r || repo_head(r, oid, &e))
		fail_msg("%s", e.msg);
	repo_close(r);
	return oid;
}

static const char *there(const char *revision)
{
	char *oid = arena_get(a, 41, 1);
	FILE *f = popen(arena_printf(a, "git -C %s/origin rev-parse %s", dir, revision), "r");

	assert_int_equal(fread(oid, 1, 40, f), 40);
	pclose(f);
	return oid;
}

static void commit(const char *subject)
{
	run(arena_printf(
	    a, "git -C origin -c user.name=n -c user.email=e commit -q --allow-empty -m %s", subject));
}

static void a_mirror_follows_its_remote(void **state)
{
	(void)state;
	egress_init(&(struct egress_policy){ 0 });
	run("git init -q -b main origin");
	commit("one");
	struct repo_source s = resolved(arena_printf(a, "file://%s/origin", dir));
	assert_non_null(s.url);
	run(arena_printf(a, "mkdir -p %s/mirror.tmp/left", s.mirrors)); /* by one that was killed */
	if (repo_source_fetch(&s, &o, a, &e))
		fail_msg("%s", e.msg);
	assert_string_equal(head_of(&s), there("main"));
	assert_int_equal(access(arena_printf(a, "%s/mirror.tmp", s.mirrors), F_OK), -1);
	commit("two");
	assert_string_not_equal(head_of(&s), there("main"));
	assert_int_equal(repo_source_fetch(&s, &o, a, &e), 0);
	assert_string_equal(head_of(&s), there("main"));
	/* history is rewritten, and the default branch has another name */
	run("git -C origin checkout -q --orphan trunk");
	commit("three");
	run("git -C origin branch -q -D main");
	assert_int_equal(repo_source_fetch(&s, &o, a, &e), 0);
	assert_string_equal(head_of(&s), there("trunk"));
	/* what it has stays when the remote is gone */
	run("mv origin gone");
	assert_int_equal(repo_source_fetch(&s, &o, a, &e), -1);
	assert_true(e.code != ERR_NONE);
	run("mv gone origin");
	assert_string_equal(head_of(&s), there("trunk"));
}

static void a_clone_that_fails_leaves_nothing(void **state)
{
	(void)state;
	struct repo_source s = resolved(arena_printf(a, "file://%s/origin", dir));
	assert_int_equal(repo_source_fetch(&s, &o, a, &e), -1);
	assert_int_equal(access(s.place, F_OK), -1);
	assert_int_equal(access(arena_printf(a, "%s/mirror.tmp", s.mirrors), F_OK), -1);
}

int main(void)
{
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(secrets_of_a_url_are_left_out),
		CASE(where_a_mirror_is),
		CASE(what_is_no_repository),
		CASE(names_of_paths),
		CASE(a_mirror_follows_its_remote),
		CASE(a_clone_that_fails_leaves_nothing),
	};

	return cmocka_run_group_tests_name("repo_source", tests, NULL, NULL);
}

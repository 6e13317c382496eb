/* Identity: every shape of a remote, names, collections, and that credentials never survive. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/repo_uri.h"

static const struct { const char *remote, *uri; } remotes[] = {
	{ "https://github.com/org/repo", "github.com/org/repo" },
	{ "https://github.com/org/repo.git", "github.com/org/repo" },
	{ "https://github.com/org/repo/", "github.com/org/repo" },
	{ "https://github.com/org/repo.git/", "github.com/org/repo" },
	{ "https://github.com/org/repo/.git", "github.com/org/repo" },
	{ "http://github.com/org/repo", "github.com/org/repo" },
	{ "http://host.com:80/a/b", "host.com/a/b" },
	{ "git@GitHub.com:Org/Repo.git", "github.com/Org/Repo" },
	{ "git@github.com:/org/repo.git", "github.com/org/repo" },
	{ "ssh://git@gitlab.example.com/org/repo", "gitlab.example.com/org/repo" },
	{ "ssh://git@h:2222/org/sub/repo.git", "h:2222/org/sub/repo" },
	{ "ssh://git@github.com:22/org/repo.git", "github.com/org/repo" },
	{ "https://user:token@host.com/a/b", "host.com/a/b" },
	{ "https://token@host.com/a/b", "host.com/a/b" },
	{ "https://user:p@ss@host.com/a/b", "host.com/a/b" },
	{ "https://host.com:443/a/b.git", "host.com/a/b" },
	{ "https://host.com:8443/a/b.git", "host.com:8443/a/b" },
	{ "git://h:9418/a/b.git", "h/a/b" },
	{ "git://h/a/b", "h/a/b" },
	{ "host.xz:path/to/repo.git/", "host.xz/path/to/repo" },
	{ "org@dev.azure.com:v3/o/p/r", "dev.azure.com/o/p/_git/r" },
	{ "git@ssh.dev.azure.com:v3/o/p/r", "dev.azure.com/o/p/_git/r" },
	{ "https://dev.azure.com/o/p/_git/r", "dev.azure.com/o/p/_git/r" },
	{ "https://o@dev.azure.com/o/p/_git/r", "dev.azure.com/o/p/_git/r" },
	{ "https://github.com/org/repo?x=1#frag", "github.com/org/repo" },
	{ "https://github.com/ORG/Repo.GIT", "github.com/ORG/Repo" },
	{ "https://www.github.com/org/repo", "www.github.com/org/repo" },
	{ "git+ssh://git@github.com/o/r.git", "github.com/o/r" },
	{ "ssh://git@[::1]:22/org/repo", "[::1]/org/repo" },
	{ "ssh://git@[2001:DB8::1]:2222/org/repo", "[2001:db8::1]:2222/org/repo" },
	{ "  https://github.com/org/repo\n", "github.com/org/repo" },
	{ "HTTPS://GitHub.com/org/repo", "github.com/org/repo" },
	{ "https://host.com/a%20b/c", "host.com/a%20b/c" },
	{ "file:///srv/git/repo.git", NULL },
	{ "/srv/git/repo.git", NULL },
	{ "../x.git", NULL },
	{ "./x:y", NULL },
	{ "C:\\repos\\x", NULL },
	{ "C:/repos/x", NULL },
	{ "github.com/org/repo", NULL },
	{ "codecommit::us-east-1://MyRepo", NULL },
	{ "https://github.com/", NULL },
	{ "https:///org/repo", NULL },
	{ "", NULL },
};

static void check(const char *remote, const char *got, const char *want)
{
	if ((got && want) ? strcmp(got, want) != 0 : got != want)
		fail_msg("%s: got %s, want %s", remote, got ? got : "NULL", want ? want : "NULL");
}

static void each_remote_shape(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(remotes); i++)
		check(remotes[i].remote, uri_of_remote(remotes[i].remote, a), remotes[i].uri);
	arena_free(a);
}

/* A repo_uri from a tool's answer is accepted, and so is every spelling of a remote. */
static void input_round_trips(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(remotes); i++) {
		if (!remotes[i].uri)
			continue;
		check(remotes[i].remote, uri_canonical(remotes[i].remote, a), remotes[i].uri);
		check(remotes[i].uri, uri_canonical(remotes[i].uri, a), remotes[i].uri);
	}
	check("local", uri_canonical("local:ABCDEF012345", a), "local:abcdef012345");
	check("no scheme", uri_canonical("github.com/org/repo.git", a), "github.com/org/repo");
	check("user", uri_canonical("u:s@github.com/org/repo", a), "github.com/org/repo");
	check("name", uri_canonical("repo", a), "repo");
	arena_free(a);
}

static void paths_are_hashed(void **state)
{
	struct arena *a = arena_new();
	const char *uri = uri_of_path("/srv/web", a);

	(void)state;
	check("path", uri, "local:1b90dbd2d3bcc59aac0f447ca2a10d6033845556a2770b78d1345799e236cd2a");
	assert_string_equal(uri_display_name(uri, "/srv/web", a), arena_printf(a, "web-%.6s", uri + 6));
	assert_string_equal(
	    uri_display_name(uri, "/srv/web/", a), arena_printf(a, "web-%.6s", uri + 6));
	assert_string_equal(
	    uri_display_name(uri, "/srv/web.git", a), arena_printf(a, "web-%.6s", uri + 6));
	arena_free(a);
}

static void names_and_collections(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(uri_display_name("local:123456789", "/srv/web", a), "web-123456");
	assert_string_equal(uri_display_name("local:123456789", "/srv/.git", a), ".git-123456");
	assert_string_equal(uri_display_name("local:123456789", "/", a), "local-123456");
	assert_string_equal(uri_display_name("local:123456789", NULL, a), "local-123456");
	assert_string_equal(uri_display_name("github.com/org/repo", NULL, a), "org/repo");
	assert_string_equal(uri_display_name("h:2222/org/sub/repo", NULL, a), "sub/repo");
	assert_string_equal(uri_display_name("h/repo", NULL, a), "repo");
	static const char *const same[] = { "https://github.com/owner/repo",
		"https://github.com/owner/repo/", "https://github.com/owner/repo.git",
		"git@github.com:owner/repo.git" };
	for (size_t i = 0; i < LEN(same); i++)
		assert_string_equal(
		    uri_directory_name(uri_of_remote(same[i], a), a), "repo_d7606d02f5e08d7c");
	assert_string_equal(
	    uri_directory_name("github.com/owner/other-repo", a), "repo_d95e6ef02e1f4579");
	arena_free(a);
}

static void redaction(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(
	    uri_redact("fatal: https://u:s@h.com/x not found", a), "fatal: https://h.com/x not found");
	assert_string_equal(
	    uri_redact("a https://s@h/x b ssh://git:pw@k/y", a), "a https://h/x b ssh://k/y");
	assert_string_equal(uri_redact("https://u:p@ss@h/x", a), "https://h/x");
	assert_string_equal(uri_redact("mail a@b.c, x://y", a), "mail a@b.c, x://y");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_remote_shape),
		cmocka_unit_test(input_round_trips),
		cmocka_unit_test(paths_are_hashed),
		cmocka_unit_test(names_and_collections),
		cmocka_unit_test(redaction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

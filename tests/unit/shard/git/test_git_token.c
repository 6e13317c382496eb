/* Which token goes to which remote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/options.h"
#include "shard/git/git_token.h"

static const char *hosts[] = { "git.example.com", "git.example.com:8443", "*.example.org" };

static struct options given(const char *file)
{
	return (struct options){ .git_token = "own", .git_token_hosts = { hosts, LEN(hosts) }, .github_token = "hub", .git_tokens_file = file };
}

static void tokens_go_where_they_belong(void **state)
{
	static const struct { const char *url, *want; } cases[] = {
		{ "https://git.example.com/a", "own" }, { "https://GIT.example.com:8443/a", "own" }, { "https://x.example.org/a", "own" },
		{ "https://git.example.com:9/a", NULL }, { "https://example.org/a", NULL }, { "https://evil.example/git.example.com/", NULL },
		{ "https://github.com/a", "hub" }, { "https://api.github.com/repos/", "hub" }, { "https://x.ghe.com/a", "hub" },
		{ "https://ghe.com/a", NULL }, { "https://evil.example/x.ghe.com/a", NULL }, { "https://github.com.evil.example/a", NULL },
		{ "https://gitlab.com/a", NULL }, { "https://raw.github.com/a", NULL },
		{ "http://git.example.com/a", NULL }, { "http://github.com/a", NULL }, { "ssh://git@github.com/a", NULL },
		{ "git@github.com:a/b", NULL }, { "file:///github.com/a", NULL }, { "git://github.com/a", NULL },
		{ "http://127.0.0.1:81/a", "file" }, { "https://127.0.0.1:81/a", "file" }, { "http://127.0.0.1/a", NULL },
		{ "http://127.evil.example:82/a", NULL }, { "https://both.example.org/a", "file" },
	};
	char path[] = "/tmp/atoll-test-XXXXXX";
	int fd = mkstemp(path);
	struct arena *a = arena_new();
	struct options o = given(path);

	(void)state;
	dprintf(fd, "127.0.0.1:81 file\n127.evil.example:82 file\nboth.example.org file\nboth.example.org second\n");
	close(fd);
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = git_token(cases[i].url, &o, a);
		if (!got != !cases[i].want || (got && strcmp(got, cases[i].want) != 0))
			fail_msg("%s: %s", cases[i].url, got ? got : "none");
	}
	assert_null(git_token_config_error(&o, a));
	unlink(path);
	arena_free(a);
}

static void a_token_without_hosts_is_sent_to_nobody(void **state)
{
	const char *bad[] = { "git.example.com", "https://git.example.com/" };
	struct arena *a = arena_new();
	struct options o = given("");

	(void)state;
	o.git_token_hosts = (struct string_list){ 0 };
	assert_null(git_token("https://git.example.com/a", &o, a));
	assert_string_equal(git_token("https://github.com/a", &o, a), "hub");
	assert_non_null(strstr(git_token_config_error(&o, a), "ATOLL_GIT_TOKEN_HOSTS"));
	o.git_token_hosts = (struct string_list){ bad, LEN(bad) };
	assert_non_null(strstr(git_token_config_error(&o, a), "`https://git.example.com/` is not a host"));
	o.git_token = "";
	o.git_token_hosts.n = 1;
	assert_non_null(strstr(git_token_config_error(&o, a), "without a token"));
	o.git_token_hosts.n = 0;
	assert_null(git_token_config_error(&o, a));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_go_where_they_belong),
		cmocka_unit_test(a_token_without_hosts_is_sent_to_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

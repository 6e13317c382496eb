/* The variables that child processes inherit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/process/environment.h"

static const char *const secrets[] = { "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN",
	"GITHUB_WEBHOOK_SECRET", "ATOLL_GIT_TOKEN", "ATOLL_CLUSTER_KEY", "GIT_DIR", "GIT_TRACE_CURL",
	"LD_PRELOAD", "PATHX", "XPATH", "HOMES" };
static const char *const needs[] = { "SSH_AUTH_SOCK", "GIT_SSL_CAINFO", "GIT_CONFIG_KEY_0",
	"https_proxy", "GIT_HTTP_USER_AGENT", "HOME" };

static void only_what_is_listed_passes(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(secrets); i++)
		setenv(secrets[i], "secret", 1);
	for (size_t i = 0; i < LEN(needs); i++)
		setenv(needs[i], "needed", 1);
	struct environment git = environment_new(ENVIRONMENT_GIT),
	                   ctags = environment_new(ENVIRONMENT_CTAGS);
	for (size_t i = 0; i < LEN(secrets); i++) {
		assert_null(environment_get(&git, secrets[i]));
		assert_null(environment_get(&ctags, secrets[i]));
		unsetenv(secrets[i]);
	}
	for (size_t i = 0; i < LEN(needs); i++) {
		assert_string_equal(environment_get(&git, needs[i]), "needed");
		assert_null(environment_get(&ctags, needs[i]));
	}
	assert_null(git.v[git.n]);
	assert_null(ctags.v[ctags.n]);
	environment_free(&git);
	environment_free(&ctags);
}

static void variables_are_set(void **state)
{
	(void)state;
	setenv("A_VARIABLE", "passed", 1);
	struct environment env = environment_new(ENVIRONMENT_CTAGS);
	size_t n = env.n;
	environment_inherit(&env, "A_VARIABLE");
	environment_inherit(&env, "NOT_SET_ANYWHERE");
	assert_string_equal(environment_get(&env, "A_VARIABLE"), "passed");
	environment_default(&env, "A_VARIABLE", "default");
	assert_string_equal(environment_get(&env, "A_VARIABLE"), "passed");
	environment_set(&env, "A_VARIABLE", "set");
	environment_default(&env, "B", "x=y");
	assert_string_equal(environment_get(&env, "A_VARIABLE"), "set");
	assert_string_equal(environment_get(&env, "B"), "x=y");
	assert_null(environment_get(&env, "A"));
	assert_int_equal(env.n, n + 2);
	assert_null(env.v[env.n]);
	environment_free(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_listed_passes),
		cmocka_unit_test(variables_are_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

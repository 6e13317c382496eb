/* What a push of a forge says, and its proof; integration/37 has the endpoint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/api/webhooks.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/net/crypto.h"

#define SHA "1111111111111111111111111111111111111111"
#define NONE "0000000000000000000000000000000000000000"
#define REPOSITORY "\"repository\":{\"clone_url\":\"https://github.com/org/a%2Bb.git\",\"ssh_url\":\"git@github.com:org/a.git\",\"default_branch\":\"main\"}"

static const char form[] = "application/x-www-form-urlencoded; charset=utf-8";
static struct arena *a;

static const struct forge *github(void)
{
	assert_string_equal(forges[0].name, "github");
	return &forges[0];
}

static struct push read_push(const char *type, const char *body)
{
	struct push p;
	struct err e = { 0 };

	if (webhook_parse(github(), type, body, strlen(body), &p, a, &e))
		fail_msg("%s", e.msg);
	return p;
}

static void commits_and_branches(void **state)
{
	static const struct { const char *body, *before, *after, *ignored; } rows[] = {
		{ "{\"ref\":\"refs/heads/main\",\"before\":\"" SHA "\",\"after\":\"" SHA "\"," REPOSITORY "}", SHA, SHA, NULL },
		{ "{\"ref\":\"refs/heads/main\",\"before\":\"" NONE "\",\"after\":\"" SHA "\"," REPOSITORY "}", NULL, SHA, NULL },
		{ "{\"ref\":\"refs/heads/main\",\"after\":\"" NONE "\"," REPOSITORY "}", NULL, NULL, "the branch was deleted" },
		{ "{\"ref\":\"refs/heads/main2\",\"after\":\"" SHA "\"," REPOSITORY "}", NULL, SHA, "not the default branch" },
		{ "{\"ref\":\"refs/tags/main\",\"after\":\"" SHA "\"," REPOSITORY "}", NULL, SHA, "not a branch" },
		{ "{\"ref\":\"refs/heads/main\",\"after\":\"" SHA "\",\"repository\":{\"html_url\":\"https://github.com/org/a\"}}", NULL, SHA,
		  "not the default branch" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct push p = read_push("application/json", rows[i].body);
		const char *const got[] = { p.before, p.after, p.ignored }, *const want[] = { rows[i].before, rows[i].after, rows[i].ignored };
		for (size_t k = 0; k < LEN(got); k++)
			if (!got[k] != !want[k] || (got[k] && strcmp(got[k], want[k])))
				fail_msg("row %zu: %s, not %s", i, got[k] ? got[k] : "-", want[k] ? want[k] : "-");
	}
}

static void forms_are_decoded(void **state)
{
	struct push p = read_push(form, "x=1&payload=%7B%22ref%22%3A+%22refs/heads/main%22%2C%22repository%22%3A%7B%22clone_url%22%3A%22"
	    "https://github.com/org/a%2Bb%22%2C%22default_branch%22%3A%22main%22%7D%7D&y=2");
	struct err e = { 0 };

	(void)state;
	assert_string_equal(p.repo_uri, "github.com/org/a+b");
	assert_int_equal(webhook_parse(github(), form, "x=payload=1", 11, &p, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

static void what_is_no_push(void **state)
{
	static const char *const bodies[] = { "", "{", "[]", "{\"ref\":1}", "{\"ref\":\"refs/heads/main\"}",
		"{\"ref\":\"refs/heads/main\",\"repository\":{\"clone_url\":7}}" };

	(void)state;
	for (size_t i = 0; i < LEN(bodies); i++) {
		struct push p;
		struct err e = { 0 };
		assert_int_equal(webhook_parse(github(), "application/json", bodies[i], strlen(bodies[i]), &p, a, &e), -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
	}
}

static void who_proves_the_secret(void **state)
{
	char hmac[SHA256_HEX];

	(void)state;
	crypto_hmac("secret", "body", 4, hmac);
	assert_true(webhook_verify(github(), "secret", hmac, "body", 4));
	assert_true(webhook_verify(github(), "secret", arena_printf(a, "sha256=%s", hmac), "body", 4));
	assert_false(webhook_verify(github(), "secret", hmac, "bodY", 4));
	assert_false(webhook_verify(github(), "other", hmac, "body", 4));
	assert_false(webhook_verify(github(), "secret", NULL, "body", 4));
	assert_false(webhook_verify(github(), "secret", "", "body", 4));
	assert_false(webhook_verify(&forges[1], "secret", "secreT", "body", 4));
	assert_false(webhook_verify(&forges[1], "secret", NULL, "body", 4));
	assert_true(webhook_verify(&forges[1], "secret", "secret", "body", 4));
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commits_and_branches), cmocka_unit_test(forms_are_decoded), cmocka_unit_test(what_is_no_push),
		cmocka_unit_test(who_proves_the_secret),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

/*
 * What is read of one manifest, document, configuration of a program or of a gateway, in tests/answers/config_files.txt
 * (text_cases.h): the header of a case is the path of its file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/err.h"
#include "proto/record/record.h"
#include "shard/contracts/gateways/gateways.h"
#include "shard/facts/facts.h"
#include "shard/manifests/document_urls.h"
#include "shard/manifests/manifests.h"
#include "shard/settings/settings.h"
#include "tests/facts_print.h"
#include "tests/text_cases.h"

static struct manifests *manifests;

static void put_field(struct buf *out, const char *name, const char *value)
{
	if (value && *value)
		buf_printf(out, " %s=%s", name, value);
}

static void put_packages(const struct package *v, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct package *p = &v[i];
		buf_printf(out, "%llu %s %s %s", (unsigned long long)p->line, p->side, p->ecosystem,
		    p->name ? p->name : "-");
		put_field(out, "range", p->range);
		put_field(out, "scope", p->scope);
		put_field(out, "source", p->source);
		put_field(out, "path", p->path);
		put_field(out, "key", p->key);
		if (p->count)
			buf_printf(out, " x%llu", (unsigned long long)p->count);
		buf_byte(out, '\n');
	}
}

static void put_settings(
    const char *path, const char *text, size_t n, struct buf *out, struct arena *a)
{
	struct setting *v;
	size_t count = settings_match_path(path) ? settings_read(path, text, n, a, &v) : 0;

	for (size_t i = 0; i < count; i++) {
		buf_printf(out, "%u setting %s = %s", v[i].line, v[i].key, v[i].value);
		put_field(out, "of", v[i].service);
		buf_byte(out, '\n');
	}
}

static void put_gateways(
    const char *path, const char *text, size_t n, struct buf *said, struct arena *a)
{
	struct facts f = { 0 };
	char *lines = NULL;
	size_t length;
	FILE *out = open_memstream(&lines, &length);

	gateways_read(path, text, n, a, &f);
	facts_print(out, &f, false);
	fclose(out);
	buf_put(said, lines, length);
	free(lines);
}

static void says(const char *path, const char *text, size_t n, struct buf *said, struct arena *a)
{
	struct package *v;

	size_t count = manifests_read(manifests, path, text, n, a, &v);
	assert_true(!count || manifests_match_path(manifests, path));
	put_packages(v, count, said);
	count = document_urls_read(path, text, n, a, &v);
	put_packages(v, count, said);
	put_settings(path, text, n, said, a);
	put_gateways(path, text, n, said, a);
}

static void files_are_read(void **state)
{
	struct err e = { 0 };

	(void)state;
	manifests = manifests_new(&e);
	assert_non_null(manifests);
	text_cases_check("tests/answers/config_files.txt", says);
	manifests_free(manifests);
}

static void sources_of_packages(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *uri; } cases[] = {
		{ "github:o/r", "github.com/o/r" }, { "o/r", "github.com/o/r" }, { "o/r#branch", "github.com/o/r" }, { "gitlab:o/r", "gitlab.com/o/r" },
		{ "bitbucket:o/r", "bitbucket.org/o/r" }, { "git+https://h.com/o/r.git", "h.com/o/r" }, { "git+ssh://git@h.com/o/r.git#v1", "h.com/o/r" },
		{ "https://h.com/o/r.git", "h.com/o/r" }, { "git@h.com:o/r.git", "h.com/o/r" }, { "git://h.com/o/r", "h.com/o/r" }, { "^1.0", NULL }, 
		{ "", NULL }, { "@o/r", NULL }, { "a/b/c", NULL }, { "../r", NULL }, { "npm:x@1", NULL },
		{ "/o/r", NULL }, { "o/", NULL },
	};
	/* clang-format on */
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *got = manifests_repo_uri(cases[i].text, a);
		if (!got != !cases[i].uri || (got && strcmp(got, cases[i].uri) != 0))
			fail_msg("%s: %s", cases[i].text, got ? got : "none");
	}
	arena_free(a);
}

static void keys_of_settings(void **state)
{
	/* clang-format off */
	static const char *const same[] = { "clients.users-url", "clients.usersUrl", "CLIENTS_USERS_URL", "Clients__UsersUrl", "clients:users_url" };
	/* clang-format on */
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 1; i < sizeof same / sizeof *same; i++)
		assert_string_equal(settings_key(same[i], a), settings_key(same[0], a));
	assert_string_not_equal(settings_key("clients.user-url", a), settings_key(same[0], a));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read),
		cmocka_unit_test(sources_of_packages),
		cmocka_unit_test(keys_of_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tag that is a version of a package. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/contracts/links/version_tag.h"
#include "proto/base/buf.h"

static const char *find(const char *package, const char *version)
{
	static const char *tags[] = { "1.2", "core@1.2.3", "core-v2.0.0", "nightly-1.2.3",
		"release-3.0.0", "sdk/core/v1.4.0", "v1.2.3", "v11.2.3", "widget-1.2.3-rc1", "2.0.0" };
	const t_strs all = { tags, LEN(tags) };

	return version_tag_find(&all, package, version);
}

static void tags_are_found(void **state)
{
	static const struct {
		const char *package, *version, *tag;
	} rows[] = {
		{ "widget", "1.2.3", "v1.2.3" },
		{ "widget", "v1.2.3", "v1.2.3" },
		{ "core", "1.2.3", "core@1.2.3" },
		{ "@acme/core", "1.2.3", "core@1.2.3" },
		{ "org.acme:core", "2.0.0", "core-v2.0.0" },
		{ "widget", "2.0.0", "2.0.0" },
		{ "example.com/sdk/core", "v1.4.0", "sdk/core/v1.4.0" },
		{ "widget", "3.0.0", "release-3.0.0" },
		{ "widget", "1.2.3-rc1", "widget-1.2.3-rc1" },
		{ "widget", "1.2", "1.2" },
		{ "widget", "2.3", NULL },
		{ "widget", "1.4.0", NULL },
		{ "widget", "", NULL },
		{ "widget", "v", NULL },
		{ "widget", NULL, NULL },
		{ NULL, "1.2.3", NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *got = find(rows[i].package, rows[i].version);
		if (!rows[i].tag)
			assert_null(got);
		else
			assert_string_equal(got, rows[i].tag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tags_are_found) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

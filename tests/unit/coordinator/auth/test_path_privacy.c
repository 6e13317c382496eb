/* Paths of the server in texts are shortened for callers who may not see them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/auth/path_privacy.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

static const struct { const char *text, *told; } cases[] = {
	{ "", "" }, { "no path, and/or a word", "no path, and/or a word" }, { "/", "/" }, { "a / b", "a / b" },
	{ "/srv/git/web.git", "…/web.git" }, { "/srv/git/web/", "…/web/" }, { "/web", "…/web" },
	{ "INTERNAL: /var/lib/atoll/repo_1/index-2.db: Permission denied", "INTERNAL: …/index-2.db: Permission denied" },
	{ "cannot read `/srv/ann/x y`, nor \"/etc/a\".", "cannot read `…/x y`, nor \"…/a\"." },
	{ "at /a/b/c:12: bad; (/d/e) is gone, and so is /f/g.", "at …/c:12: bad; (…/e) is gone, and so is …/g." },
	{ "file:///srv/git/web", "file://…/web" }, { "ipc:///run/user/0/atoll/c.sock", "ipc://…/c.sock" },
	{ "https://host.example/org/web.git", "https://host.example/org/web.git" },
	{ "git@host:/srv/web did not answer", "git@host:…/web did not answer" },
	{ "data=/var/x other=/var/y", "data=…/x other=…/y" }, { "src/app.py of git.example/org/web", "src/app.py of git.example/org/web" },
};

static void only_the_last_part_is_shown(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		assert_string_equal(paths_redact(cases[i].text, a), cases[i].told);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(only_the_last_part_is_shown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

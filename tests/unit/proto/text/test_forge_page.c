/* Addresses of files in repositories: every forge's form, lines, and branches with slashes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/forge_page.h"

static struct arena *a;

static bool exists(void *arg, const char *path)
{
	(void)arg;
	return !strcmp(path, "lib/known.py");
}

static const struct { const char *rest, *file; uint64_t line; } pages[] = {
	{ "/blob/main/app/server.py#L5", "app/server.py", 5 },
	{ "/blob/main/app/server.py?plain=1#L5-L9", "app/server.py", 5 },
	{ "/blob/main/app/server.py#L5C3-L9C1", "app/server.py", 5 },
	{ "/blob/main/docs/api.md#l33t-heading", "docs/api.md", 0 },
	{ "/blob/main/docs/api.md#5-minutes", "docs/api.md", 5 },
	{ "/blob/0123456789abcdef/x%20y.py", "x y.py", 0 },
	{ "/blob/main/server.py", "server.py", 0 },
	{ "/raw/main/app/server.py", "app/server.py", 0 },
	{ "/raw/refs/heads/main/app/server.py", "app/server.py", 0 },
	{ "/raw/refs/tags/v1/app/server.py", "app/server.py", 0 },
	{ "/-/blob/main/app/server.py?ref_type=heads#L5-9", "app/server.py", 5 },
	{ "/-/raw/main/app/server.py", "app/server.py", 0 },
	{ "/src/main/app/server.py#lines-5:9", "app/server.py", 5 },
	{ "/src/branch/main/app/server.py#L5", "app/server.py", 5 },
	{ "/src/commit/0123456789abcdef/app/server.py", "app/server.py", 0 },
	{ "/raw/branch/main/app/server.py", "app/server.py", 0 },
	{ "/blob/release/1.x/app/server.py#L5", "app/server.py", 5 },	/* the default branch */
	{ "/blob/feature/new/thing/lib/known.py#L7", "lib/known.py", 7 },
	{ "?path=/app/server.py&version=GBmain&line=5&lineEnd=6", "app/server.py", 5 },
	{ "?path=%2Fapp%2Fserver.py", "app/server.py", 0 },
	{ "", NULL, 0 }, { "/", NULL, 0 }, { "/issues/5", NULL, 0 }, { "/blob/main", NULL, 0 }, { "/blob/main/", NULL, 0 },
	{ "/tree/main/app", NULL, 0 }, { "/wiki/blob/main/x", NULL, 0 }, { "?path=/", NULL, 0 }, { "?x=path=/a", NULL, 0 },
	{ "#/blob/main/x.py", NULL, 0 }, { "/blob/main/docs/", NULL, 0 },
};

static void files_of_every_forge(void **state)
{
	struct forge_page p;

	(void)state;
	for (size_t i = 0; i < LEN(pages); i++) {
		const char *file = NULL;
		if (forge_page_read(pages[i].rest, &p, a))
			file = forge_page_file(&p, "release/1.x", exists, NULL);
		if (!pages[i].file && !file)
			continue;
		if (!pages[i].file || !file || strcmp(file, pages[i].file) || p.line != pages[i].line)
			fail_msg("%s: %s line %d", pages[i].rest, file ? file : "no file", (int)p.line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files_of_every_forge) };

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}

/* The aliases of modules in a tsconfig.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/facts/facts.h"
#include "shard/manifests/module_names.h"

enum { MANY = 40 };

static void put_document(struct buf *b, int first, int n)
{
	buf_str(b, "{ \"compilerOptions\": { \"baseUrl\": \"src\", \"paths\": {");
	for (int i = 0; i < n; i++)
		buf_printf(b, "%s \"@m%d\": [\"m%d/index\"]", i ? "," : "", first + i, first + i);
	buf_str(b, " } } }\n");
}

/* A hostile file may have several documents, although it is JSON. */
static void several_documents(void **state)
{
	struct arena *a = arena_new();
	struct buf b = { 0 };
	struct facts f = { 0 };

	(void)state;
	put_document(&b, 0, MANY);
	buf_str(&b, "---\n");
	put_document(&b, MANY, 1);
	module_aliases_read(b.p, b.n, a, &f);
	assert_int_equal(f.imports.n, MANY + 1 + 2);	/* and the base of each document */
	for (size_t i = 0; i < f.imports.n; i++) {
		assert_non_null(f.imports.v[i].module);
		assert_non_null(f.imports.v[i].alias);
	}
	assert_string_equal(f.imports.v[0].module, "src/m0/index");
	assert_string_equal(f.imports.v[MANY + 1].alias, "@m40");
	buf_free(&b);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(several_documents) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

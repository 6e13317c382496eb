/*
 * Trees that were kept when their files were parsed are read again where contracts are joined across files. A tree of a second
 * grammar, as that of JavaScript with the types of Flow, keeps its rules there.
 */
#include "tests/indexed_repository.h"

#include "proto/record/record.h"
#include "shard/handlers/rpc_handlers.h"

static void make(void)
{
	run("rm expected.contracts && git init -q -b main && git add -A");
	commit_staged(1, "ann@tide.example", "berths");
}

static int open_all(void **state)
{
	static const char *const options[] = { "--embedder", "none" };

	(void)state;
	open_repository("tests/golden/javascript/across_flow", make, options, LEN(options));
	ingest(false);
	open_reader();
	return 0;
}

static void contracts_of_adopted_trees(void **state)
{
	struct contracts_req q = { .limit = 10 };
	struct contracts_res r = { 0 };
	struct err e = { 0 };

	(void)state;
	if (rpc_handlers.v[RPC_contracts](&s, &reader, &q, &r, a, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(r.facts.n, 2);
	for (size_t i = 0; i < r.facts.n; i++) {
		assert_string_equal(r.facts.v[i].method, "GET");
		assert_string_equal(r.facts.v[i].path, "/api/v1/berths/{}");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contracts_of_adopted_trees),
	};

	repo_init();
	return cmocka_run_group_tests(tests, open_all, close_repository);
}

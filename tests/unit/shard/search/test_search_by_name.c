/* Names and routes that are found although they have no search document. */
#include "tests/indexed_repository.h"

#include "proto/record/hit_scores.h"
#include "proto/record/record.h"
#include "shard/handlers/rpc_handlers.h"

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(arena_printf(a, "%s/repo/%s", dir, name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void make(void)
{
	write_file("server.js",
	    "const express = require('express');\n"
	    "const app = express();\n"
	    "const listOtters = (req, res) => res.json([]);\n"
	    "app.get('/otters', listOtters);\n");
	/* an edit that has just begun */
	write_file("Harbour.java",
	    "package tide;\n\nclass Harbour implements Port {\n\tShip arrive(Ship ship, int berth) {\n"
	    "\t\tint place = berths[;\n\t\tif (ship.length() > {\n");
	run("git init -q -b main && git add -A");
	commit_staged(1, "ann@tide.example", "otters");
}

static int open_all(void **state)
{
	static const char *const options[] = { "--embedder", "none" };

	(void)state;
	open_repository(NULL, make, options, LEN(options));
	ingest(false);
	open_reader();
	return 0;
}

/* The hit of a question whose name fits best; NULL if there is none. */
static const struct hit *best_named(const char *query)
{
	struct search_req q = { .query = query, .limit = 5 };
	struct search_res *r = arena_one(a, struct search_res);
	const struct hit *best = NULL;
	struct err e = { 0 };

	if (rpc_handlers.v[RPC_search](&s, &reader, &q, r, a, &e))
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < r->hits.n; i++)
		if (!best || r->hits.v[i].exact > best->exact)
			best = &r->hits.v[i];
	return best;
}

static void check(const char *query, const char *path, uint64_t line, const char *symbol)
{
	const struct hit *h = best_named(query);

	assert_non_null(h);
	assert_string_equal(h->path, path);
	assert_int_equal(h->start_line, line);
	assert_string_equal(h->symbol, symbol);
	assert_true(h->exact > NAME_IN_TEXT_MAX);
}

static void names_beside_a_syntax_error(void **state)
{
	(void)state;
	check("Harbour", "Harbour.java", 3, "Harbour");
	check("arrive", "Harbour.java", 4, "arrive");
}

static void a_route_whose_handler_has_no_document(void **state)
{
	(void)state;
	check("GET /otters", "server.js", 3, "listOtters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_beside_a_syntax_error),
		cmocka_unit_test(a_route_whose_handler_has_no_document),
	};

	repo_init();
	return cmocka_run_group_tests(tests, open_all, close_repository);
}

/*
 * match DATA [REPO...]: matches the facts that a coordinator's data folder holds, of the repositories whose URI ends in one of
 * these names (all if none is given), and prints each contract and each unresolved call as JSON, one a line.  For trying the
 * matcher without a federation.  ATOLL_MATCH_OWNER=NAME: as if all of them had this owner.
 * ATOLL_MATCH_UNSURE=1: with all candidates among the contracts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/matching/match.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/json.h"
#include "coordinator/records/records.h"

static bool is_wanted(const char *uri, char **names, size_t n)
{
	size_t len = strlen(uri);

	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(names[i]);
		if (k <= len && !strcmp(uri + len - k, names[i]))
			return true;
	}
	return !n;
}

/* A member, as if it had the owner of ATOLL_MATCH_OWNER. */
static struct match_member owned(
    const struct registered_repo *r, const struct contracts_res *facts, struct arena *a)
{
	const char *owner = getenv("ATOLL_MATCH_OWNER"), *name = strrchr(r->repo_uri, '/');

	if (!owner || !name)
		return (struct match_member){ r->repo_uri, r->name, facts };
	return (struct match_member){ arena_printf(a, "github.com/%s%s", owner, name),
		arena_printf(a, "%s%s", owner, name), facts };
}

static size_t read_members(struct registry *r, char **names, size_t n, struct match_member **out,
    struct arena *a, struct err *e)
{
	struct registered_repo *repos;
	size_t total, found = 0;

	if (registry_repos(r, &repos, &total, a, e))
		return 0;
	*out = arena_many(a, total, struct match_member);
	for (size_t i = 0; i < total; i++) {
		struct contracts_res *facts = arena_one(a, struct contracts_res);
		const char *version;
		if (!is_wanted(repos[i].repo_uri, names, n))
			continue;
		if (tables_facts_read(r, repos[i].repo_uri, &version, facts, a, e))
			return 0;
		(*out)[found++] = owned(&repos[i], facts, a);
	}
	return found;
}

static void print(const char *list, const struct record *of, const void *row)
{
	struct buf b = { 0 };

	buf_printf(&b, "{\"list\":\"%s\",\"row\":", list);
	json_put(of, row, &b);
	buf_str(&b, "}");
	puts(b.p);
	buf_free(&b);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new(), *rows = arena_new();
	struct err e = { 0 };
	struct match_member *m = NULL;
	struct match_result out;

	if (argc < 2)
		return fprintf(stderr, "match DATA [REPO...]\n"), 2;
	struct registry *r = registry_open(argv[1], &e);
	size_t n = r ? read_members(r, argv + 2, (size_t)argc - 2, &m, a, &e) : 0;
	if (e.code)
		return fprintf(stderr, "match: %s\n", e.msg), 1;
	if (getenv("ATOLL_MATCH_UNSURE"))
		match_unsure(m, n, rows, &out);
	else
		match(m, n, rows, &out);
	for (size_t i = 0; i < out.contracts.n; i++)
		print("contract", &rec_contract, &out.contracts.v[i]);
	for (size_t i = 0; i < out.unresolved.n; i++)
		print("unresolved", &rec_unresolved, &out.unresolved.v[i]);
	match_result_free(&out);
	registry_close(r);
	arena_free(rows);
	arena_free(a);
	return 0;
}

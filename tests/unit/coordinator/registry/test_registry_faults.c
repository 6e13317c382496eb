/* Faults of the database in the functions of repositories, groups, sources and tokens: tests/registry_faults.h. */
#include "tests/registry_faults.h"

#include "coordinator/registry/tombstones.h"
#include "coordinator/registry/webhook_deliveries.h"

static const char *const uris[] = { URI };

static int create_group(void)
{
	return groups_create(r, new_name(), "d", &e);
}
static int delete_group(void)
{
	return groups_delete(r, "gone", &e);
}
static int add_members(void)
{
	return groups_add(r, "g", uris, 1, &e);
}
static int remove_members(void)
{
	return groups_remove(r, "g", uris, 1, &e);
}

static int all_groups(void)
{
	struct group_row *v;
	size_t n;

	remove_members(); /* so that the copy in memory is read again */
	add_members();
	return groups_all(r, &v, &n, a, &e);
}

static int all_sources(void)
{
	struct source_row *v;
	size_t n;

	return sources_all(r, &v, &n, a, &e);
}

static int remove_source(void)
{
	return sources_remove(r, "/gone", &e);
}

static int remove_host(void)
{
	const char *replicas[] = { "1" };

	return sources_remove_host(
	    r, &(struct host_removal){ URI, NULL, "b", false, { replicas, 1 } }, &e);
}

static int link_repo(void)
{
	return sources_link_repo(r, "/s", URI, &e);
}

static int all_repos(void)
{
	struct registered_repo *v;
	size_t n;

	return registry_repos(r, &v, &n, a, &e);
}

static int put_visibility(void)
{
	return registry_visibility_put(r, URI, "public", &e);
}
static int remove_repo(void)
{
	return registry_repo_remove(r, "github.com/o/gone", &e);
}

static int get_secret(void)
{
	char out[65];

	return registry_secret(r, new_name(), out, &e);
}

static int get_delivery(void)
{
	const char *id;

	return deliveries_get(r, "github", "1", &id, a, &e);
}

static int put_delivery(void)
{
	return deliveries_put(r, "github", new_name(), "j", &e);
}

static int check_removed(void)
{
	struct hello h = {
		.repo_uri = "github.com/o/removed", .name = "x", .replica = "1", .source = "/s"
	};
	bool again;

	return tombstone_check(r, &h, "own", &again, a, &e);
}

static int export_rows(void)
{
	t_strs lines;
	const char *next;

	return registry_export(r, NULL, 1000, &lines, &next, a, &e);
}

static int import_rows(void)
{
	const char *line = arena_printf(
	    a, "{\"table\":\"sources\",\"row\":{\"source\":\"/%s\"}}", new_name());
	t_strs lines = { &line, 1 }, left_out;
	uint64_t written;

	int rc = registry_import(r, "importer", &lines, &written, &left_out, a, &e);
	if (!rc && left_out.n) /* a row that cannot be written is told so */
		return err_set(&e, ERR_DB_ERROR, "%s", left_out.v[0]);
	return rc;
}

static int standalone(void)
{
	return registry_check_standalone(r, &e);
}

static int peers(void)
{
	struct registry_peer *v;
	size_t n;

	return registry_peers(r, &v, &n, a, &e);
}

/* ---- tokens ---- */

static int put_token(void)
{
	struct token_row t = { .name = new_name(),
		.visibility = "private",
		.created_at = "c",
		.groups = { (const char *[]){ "g" }, 1 },
		.repos = { (const char *[]){ URI }, 1 } };
	struct db *db = registry_begin(r, &e);

	return db ? registry_end(r, token_row_put(db, &t, t.name, &e), &e) : -1;
}

static int get_token(void)
{
	struct token_row t = { .name = "token" };
	char hash[100];
	struct db *db = registry_begin(r, &e);

	return db ? registry_end(r, token_row_get(db, &t, hash, a, &e), &e) : -1;
}

static const struct faulty_call functions[] = {
	FUNCTION(create_group),
	FUNCTION(delete_group),
	FUNCTION(add_members),
	FUNCTION(remove_members),
	FUNCTION(all_sources),
	FUNCTION(put_source),
	FUNCTION(remove_source),
	FUNCTION(remove_host),
	FUNCTION(link_repo),
	FUNCTION(all_repos),
	FUNCTION(put_repo),
	FUNCTION(put_index),
	FUNCTION(put_visibility),
	FUNCTION(remove_repo),
	FUNCTION(get_secret),
	FUNCTION(get_delivery),
	FUNCTION(put_delivery),
	FUNCTION(check_removed),
	FUNCTION(export_rows),
	FUNCTION(import_rows),
	FUNCTION(standalone),
	FUNCTION(peers),
	FUNCTION(put_token),
	FUNCTION(get_token),
};

static void each_statement_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(functions); i++)
		check_each_statement(&functions[i]);
}

static void groups_are_read_again(void **state)
{
	(void)state;
	fault_at(-1);
	assert_int_equal(all_groups(), 0);
	assert_int_equal(remove_members(), 0);
	struct group_row *v;
	size_t n;
	fault_at(0);
	assert_int_equal(groups_all(r, &v, &n, a, &e), -1);
	assert_true(fault_end());
	fault_at(0);
	t_strs of;
	assert_int_equal(groups_of(r, URI, &of, a, &e), -1);
	assert_true(fault_end());
	fault_at(0);
	assert_int_equal(groups_get(r, "g", &(struct group_row){ 0 }, a, &e), -1);
	assert_true(fault_end());
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_int_equal(groups_all(r, &v, &n, a, &e), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_statement_fails, open_all, end),
		cmocka_unit_test_setup_teardown(groups_are_read_again, open_all, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

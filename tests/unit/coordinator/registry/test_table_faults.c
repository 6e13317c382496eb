/* Faults of the database in the tables of contracts: tests/registry_faults.h. */
#include "tests/registry_faults.h"

static int get_facts(void)
{
	const char *version;
	struct contracts_res res;

	return tables_facts_read(r, "github.com/o/none", &version, &res, a, &e);
}

static int get_versions(void)
{
	struct synced_member v[] = { { URI, NULL } };

	return tables_facts_versions(r, v, 1, a, &e);
}

static int reserve(void)
{
	struct synced_member v[] = { { URI, NULL } };

	return tables_reserve(r, new_name(), v, 1, &e);
}

static int get_tables(void)
{
	struct tables_info t;

	return tables_get(r, "g", &t, a, &e);
}

static const struct table_filter no_filter;

static int get_page(void)
{
	struct table_page p;

	return tables_page(r, "g", &no_filter, &p, a, &e);
}

static int get_matrix(void)
{
	struct table_matrix m;

	return tables_matrix(r, "g", &no_filter, &m, a, &e);
}

static int get_pairs(void)
{
	struct table_filter links = { .links = true };
	struct table_matrix m;

	return tables_link_pairs(r, "g", &links, &m, a, &e);
}

static const struct faulty_call functions[] = {
	FUNCTION(get_facts),
	FUNCTION(get_versions),
	FUNCTION(put_facts),
	FUNCTION(reserve),
	FUNCTION(put_tables),
	FUNCTION(get_tables),
	FUNCTION(get_page),
	FUNCTION(get_matrix),
	FUNCTION(get_pairs),
};

static void each_statement_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(functions); i++)
		check_each_statement(&functions[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_statement_fails, open_all, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

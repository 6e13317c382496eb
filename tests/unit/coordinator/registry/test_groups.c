/* Groups in the registry: what is written is read at once, and nobody who reads waits for a writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"

static char dir[] = "/tmp/atoll-groups.XXXXXX";
static struct registry *registry;
static struct arena *arena;
static struct err e;

static int setup(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR);
	strcpy(dir + sizeof dir - 7, "XXXXXX");
	arena = arena_new();
	e = (struct err){ 0 };
	return mkdtemp(dir) && (registry = registry_open(dir, &e)) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[100];

	(void)state;
	registry_close(registry);
	arena_free(arena);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

static void put_repo(const char *uri)
{
	struct hello h = { .repo_uri = uri, .name = uri, .replica = "1", .endpoint = "ipc:///nowhere", .version = "1" };

	assert_int_equal(registry_repo_put(registry, &h, false, &e), 0);
}

/* "name description: members; …" */
static const char *all(void)
{
	struct group_row *v;
	size_t n;
	const char *s = "";

	assert_int_equal(groups_all(registry, &v, &n, arena, &e), 0);
	for (size_t i = 0; i < n; i++) {
		s = arena_printf(arena, "%s%s%s %s:", s, i ? "; " : "", v[i].name, v[i].description ? v[i].description : "-");
		for (size_t k = 0; k < v[i].members.n; k++)
			s = arena_printf(arena, "%s %s", s, v[i].members.v[k]);
	}
	return s;
}

static const char *of(const char *repo_uri)
{
	t_strs v;
	const char *s = "";

	assert_int_equal(groups_of(registry, repo_uri, &v, arena, &e), 0);
	for (size_t i = 0; i < v.n; i++)
		s = arena_printf(arena, "%s%s%s", s, i ? " " : "", v.v[i]);
	return s;
}

static void what_is_written_is_read(void **state)
{
	struct group_row g;

	(void)state;
	assert_string_equal(all(), "");
	put_repo("h/b");
	put_repo("h/a");
	assert_int_equal(groups_create(registry, "shop", "all of it", &e), 0);
	assert_int_equal(groups_create(registry, "empty", NULL, &e), 0);
	assert_string_equal(all(), "empty -:; shop all of it:");
	assert_int_equal(groups_add(registry, "shop", (const char *[]){ "h/b", "h/a" }, 2, &e), 0);
	assert_string_equal(all(), "empty -:; shop all of it: h/a h/b");
	assert_int_equal(groups_add(registry, "empty", (const char *[]){ "h/b" }, 1, &e), 0);
	assert_string_equal(of("h/b"), "empty shop");
	assert_string_equal(of("h/a"), "shop");
	assert_string_equal(of("h/"), "");
	assert_int_equal(groups_get(registry, "shop", &g, arena, &e), 0);
	assert_string_equal(g.description, "all of it");
	assert_int_equal(groups_get(registry, "sho", &g, arena, &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_int_equal(groups_remove(registry, "shop", (const char *[]){ "h/a" }, 1, &e), 0);
	assert_string_equal(all(), "empty -: h/b; shop all of it: h/b");
	assert_int_equal(registry_repo_remove(registry, "h/b", &e), 0);		/* its memberships go with it */
	assert_string_equal(all(), "empty -:; shop all of it:");
	assert_int_equal(groups_delete(registry, "shop", &e), 0);
	assert_string_equal(all(), "empty -:");
}

/* Who is let in while it is removed is not written any more; on purpose it is. */
static void what_is_removed_stays_so(void **state)
{
	struct hello h = { .repo_uri = "h/gone", .name = "gone", .replica = "b-1", .host = "b", .endpoint = "ipc:///nowhere", .version = "1" };
	const char *shards[] = { "b-1" };
	struct registered_repo *v;
	size_t n;

	(void)state;
	put_repo("h/gone");
	assert_int_equal(registry_repo_put(registry, &h, false, &e), 0);
	assert_int_equal(sources_remove_host(registry, &(struct host_removal){ "h/gone", NULL, "b", false, { shards, 1 } }, &e), 0);
	assert_int_equal(registry_repo_put(registry, &h, false, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	h.host = NULL;		/* an older one, which tells its name alone */
	assert_int_equal(registry_repo_put(registry, &h, false, &e), -1);
	put_repo("h/gone");
	assert_int_equal(registry_repo_remove(registry, "h/gone", &e), 0);
	h.replica = "c-1";
	assert_int_equal(registry_repo_put(registry, &h, false, &e), -1);
	assert_int_equal(registry_repos(registry, &v, &n, arena, &e), 0);
	while (n)
		assert_string_not_equal(v[--n].repo_uri, "h/gone");
	e = (struct err){ 0 };
	assert_int_equal(registry_repo_put(registry, &h, true, &e), 0);
	assert_int_equal(registry_repo_put(registry, &h, false, &e), 0);
	h.replica = "b-1";
	assert_int_equal(registry_repo_put(registry, &h, false, &e), -1);
	assert_int_equal(registry_repo_remove(registry, "h/gone", &e), 0);
	e = (struct err){ 0 };
}

static void sources_make_groups(void **state)
{
	struct source_row s = { .source = "/src/a", .groups = { (const char *[]){ "wanted" }, 1 } };

	(void)state;
	put_repo("h/a");
	assert_int_equal(sources_put(registry, &s, &e), 0);
	assert_string_equal(all(), "wanted -:");
	assert_int_equal(sources_link_repo(registry, "/src/a", "h/a", &e), 0);
	assert_string_equal(all(), "wanted -: h/a");
}

static const char *hosts_after(const char *source, const char *host)
{
	struct source_row s = { .source = source, .host = host }, *v;
	size_t n;

	assert_int_equal(sources_put(registry, &s, &e), 0);
	assert_int_equal(sources_all(registry, &v, &n, arena, &e), 0);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].source, source))
			return v[i].host ? v[i].host : "none";
	return "not there";
}

/* A host that is to run a source, too, takes it from nobody; the empty name is where the coordinator was started. */
static void several_hosts_run_a_source(void **state)
{
	(void)state;
	assert_string_equal(hosts_after("/src/a", NULL), "none");
	assert_string_equal(hosts_after("/src/a", NULL), "none");
	assert_string_equal(hosts_after("/src/a", "b"), ",b");
	assert_string_equal(hosts_after("/src/a", "b"), ",b");
	assert_string_equal(hosts_after("/src/a", "bb"), ",b,bb");
	assert_string_equal(hosts_after("/src/a", NULL), ",b,bb");
	assert_string_equal(hosts_after("/src/c", "b"), "b");
	assert_string_equal(hosts_after("/src/c", "c"), "b,c");
	assert_string_equal(hosts_after("/src/c", NULL), ",b,c");
}

/* It would wait for ever. */
static void nobody_waits_for_a_writer(void **state)
{
	(void)state;
	put_repo("h/a");
	assert_int_equal(groups_create(registry, "shop", NULL, &e), 0);
	struct db *db = registry_begin(registry, &e);
	assert_non_null(db);
	assert_int_equal(db_run(db, &e, "insert into members (grp, repo_uri) values (?, ?)", "ss", "shop", "h/a"), 0);
	assert_string_equal(all(), "shop -:");
	assert_int_equal(registry_end(registry, 0, &e), 0);
	assert_string_equal(all(), "shop -: h/a");
	db = registry_begin(registry, &e);
	assert_int_equal(db_run(db, &e, "delete from members", ""), 0);
	assert_int_equal(registry_end(registry, -1, &e), -1);	/* taken back */
	assert_string_equal(all(), "shop -: h/a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_written_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_removed_stays_so, setup, teardown),
		cmocka_unit_test_setup_teardown(sources_make_groups, setup, teardown),
		cmocka_unit_test_setup_teardown(several_hosts_run_a_source, setup, teardown),
		cmocka_unit_test_setup_teardown(nobody_waits_for_a_writer, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

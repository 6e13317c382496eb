/* Folders without symbolic links are remembered until they change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "shard/git/linkless_folders.h"

static char dir[] = "/tmp/atoll-linkless.XXXXXX";

static struct stat status(void)
{
	struct stat st;

	assert_int_equal(stat(dir, &st), 0);
	return st;
}

static void test_remembers_until_it_changes(void **state)
{
	struct stat st = status();

	(void)state;
	st.st_ctim.tv_sec -= 10;	/* as if it had not changed for ten seconds */
	assert_false(linkless_folder_is_known(&st));
	linkless_folder_note(&st);
	assert_true(linkless_folder_is_known(&st));
	struct stat later = st, other = st;
	later.st_ctim.tv_nsec ^= 1;
	assert_false(linkless_folder_is_known(&later));
	other.st_dev++;
	assert_false(linkless_folder_is_known(&other));
	char path[60];
	snprintf(path, sizeof path, "%s/link", dir);
	assert_int_equal(symlink("/", path), 0);
	struct stat changed = status();
	assert_false(linkless_folder_is_known(&changed));
	unlink(path);
}

/* A change in the same step of the clock would leave the same time. */
static void test_waits_until_it_has_settled(void **state)
{
	struct stat now = status();

	(void)state;
	linkless_folder_note(&now);
	assert_false(linkless_folder_is_known(&now));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_remembers_until_it_changes),
		cmocka_unit_test(test_waits_until_it_has_settled),
	};

	if (!mkdtemp(dir))
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(dir);
	return failed;
}

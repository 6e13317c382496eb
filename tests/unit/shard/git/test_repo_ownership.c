/* Whose repositories are read: our own, those that are named, and what they borrow from other folders.  Most of it needs root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/options.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"

enum { OTHER = 54321, THIRD = 54322 };

static char dir[] = "/tmp/atoll-ownership.XXXXXX";
static struct arena *a;
static struct err e;

static const char *in(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static void make_folder(const char *name)
{
	assert_int_equal(system(arena_printf(a, "mkdir -p '%s'", in(name))), 0);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Gives a folder and all in it to a user. */
static void give(const char *name, int user)
{
	if (geteuid())
		skip();
	assert_int_equal(system(arena_printf(a, "chown -hR %d '%s'", user, in(name))), 0);
}

/* A repository with a working tree, and one without. */
static void make_repositories(void)
{
	make_folder("clone/.git/objects/ab");
	make_folder("bare/objects");
	make_folder("elsewhere/objects");
}

/* libgit2 looks once where the user's settings are: all tests have the same folder. */
static int open_folder(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	setenv("HOME", dir, 1);
	setenv("XDG_CONFIG_HOME", arena_printf(a, "%s/xdg", dir), 1);
	repo_init();
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return system(arena_printf(a, "rm -rf %s", dir));
}

static int begin(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	unsetenv("GIT_CONFIG_SYSTEM");
	unsetenv("GIT_CONFIG_GLOBAL");
	unsetenv("SUDO_UID");
	make_repositories();
	return 0;
}

static int end(void **state)
{
	static const struct string_list none;

	(void)state;
	repo_safe_directories(&none);
	repo_safe_mirror(NULL);
	return system(arena_printf(a, "find %s -mindepth 1 -delete", dir));
}

static bool allowed(const char *name)
{
	e = (struct err){ 0 };
	int rc = repo_check_ownership(in(name), &e);
	assert_int_equal(rc, e.code ? -1 : 0);
	if (rc)
		assert_int_equal(e.code, ERR_FORBIDDEN);
	return !rc;
}

static void refused(const char *name, const char *msg, const char *hint)
{
	assert_false(allowed(name));
	assert_string_equal(e.msg, msg);
	assert_string_equal(e.hint, hint);
}

static void name_safe(const char *value)
{
	static const char *v[1];
	static struct string_list list = { v, 1 };

	v[0] = value;
	repo_safe_directories(&list);
}

/* ---- the parts of a repository ---- */

static void parts(void **state)
{
	struct repo_layout l;

	(void)state;
	assert_int_equal(repo_layout(in("nowhere"), &l, a), -1);
	assert_int_equal(repo_layout(dir, &l, a), -1);
	assert_int_equal(repo_layout(in("clone"), &l, a), 0);
	assert_string_equal(l.work, in("clone"));
	assert_null(l.link);
	assert_string_equal(l.dir, in("clone/.git"));
	assert_ptr_equal(l.common, l.dir);
	assert_int_equal(repo_layout(in("bare"), &l, a), 0);
	assert_null(l.work);
	assert_string_equal(l.dir, in("bare"));
	assert_int_equal(symlink(in("bare"), in("link")), 0);
	assert_int_equal(repo_layout(in("link"), &l, a), 0);
	assert_string_equal(l.dir, in("bare"));
	assert_int_equal(symlink(in("bare"), in("elsewhere/.git")), 0);
	assert_int_equal(repo_layout(in("elsewhere"), &l, a), 0);
	assert_string_equal(l.work, in("elsewhere"));
	assert_string_equal(l.dir, in("bare"));
}

static void a_worktree(void **state)
{
	struct repo_layout l;

	(void)state;
	make_folder("tree");
	make_folder("clone/.git/worktrees/tree");
	write_file("clone/.git/worktrees/tree/commondir", "../..\r\n");
	write_file("tree/.git", "gitdir: ../clone/.git/worktrees/tree\n");
	assert_int_equal(repo_layout(in("tree"), &l, a), 0);
	assert_string_equal(l.work, in("tree"));
	assert_string_equal(l.link, in("tree/.git"));
	assert_string_equal(l.dir, in("clone/.git/worktrees/tree"));
	assert_string_equal(l.common, in("clone/.git"));
	assert_true(allowed("tree"));
	write_file("tree/.git", arena_printf(a, "gitdir:\t%s\n", in("bare")));
	assert_int_equal(repo_layout(in("tree"), &l, a), 0);
	assert_string_equal(l.dir, in("bare"));
	write_file("tree/.git", "gitdirs: ../bare\n");
	assert_int_equal(repo_layout(in("tree"), &l, a), -1);
	write_file("tree/.git", "gitdir: ../nowhere\n");
	assert_int_equal(repo_layout(in("tree"), &l, a), -1);
	write_file("tree/.git", arena_printf(a, "gitdir: ../bare%*s\n", 4100, ""));
	assert_int_equal(repo_layout(in("tree"), &l, a), -1);
	write_file("bare/commondir", "nowhere\n");
	assert_int_equal(repo_layout(in("bare"), &l, a), -1);
	make_folder("only");
	write_file("only/commondir", in("clone/.git"));
	assert_int_equal(repo_layout(in("only"), &l, a), 0);
	assert_string_equal(l.common, in("clone/.git"));
}

/* ---- who owns it ---- */

static void our_own(void **state)
{
	(void)state;
	assert_true(allowed("clone"));
	assert_true(allowed("bare"));
	assert_true(allowed("nowhere"));
}

static void of_another_user(void **state)
{
	(void)state;
	give("clone", OTHER);
	refused("clone",
	    arena_printf(a,
	        "%s belongs to uid 54321, but the shard runs as `root` (uid 0); to allow it, add it to ATOLL_SAFE_DIRECTORY",
	        in("clone")),
	    arena_printf(a,
	        "Allow it with `--safe-directory %s` (ATOLL_SAFE_DIRECTORY, or git's safe.directory).",
	        in("clone")));
	give("clone", 0);
	assert_true(allowed("clone"));
	give("clone/.git", OTHER); /* each part counts */
	refused("clone",
	    arena_printf(a,
	        "%s belongs to uid 54321, but the shard runs as `root` (uid 0); to allow it, add it to ATOLL_SAFE_DIRECTORY",
	        in("clone/.git")),
	    arena_printf(a,
	        "Allow it with `--safe-directory %s` (ATOLL_SAFE_DIRECTORY, or git's safe.directory).",
	        in("clone/.git")));
	give("bare", OTHER);
	assert_false(allowed("bare"));
}

static void who_called_sudo(void **state)
{
	(void)state;
	give("clone", OTHER);
	setenv("SUDO_UID", "54321", 1);
	assert_true(allowed("clone"));
	setenv("SUDO_UID", "54321x", 1);
	assert_false(allowed("clone"));
	setenv("SUDO_UID", "54322", 1);
	assert_false(allowed("clone"));
	setenv("SUDO_UID", "4295021617", 1); /* the same in 32 bits */
	assert_false(allowed("clone"));
	setenv("SUDO_UID", "", 1);
	assert_false(allowed("clone"));
}

static void named_folders(void **state)
{
	static const struct {
		const char *name; /* with @ for the folder */
		bool work, bare;
	} rows[] = {
		{ "@/clone", true, false },
		{ "@/bare", false, true },
		{ "@/clone/.git", true, false },
		{ "@/clon", false, false },
		{ "@/clone/", true, false },
		{ "@", false, false },
		{ "@/*", true, true },
		{ "@/clone/*", true, false }, /* its git directory is below */
		{ "*", true, true },
		{ "~/clone", true, false },
		{ "~/nowhere", false, false },
		{ "", false, false },
	};

	(void)state;
	give("clone", OTHER);
	give("bare", OTHER);
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *name = rows[i].name;
		name_safe(*name == '@' ? arena_printf(a, "%s%s", dir, name + 1) : name);
		if (allowed("clone") != rows[i].work || allowed("bare") != rows[i].bare)
			fail_msg("%s", rows[i].name);
	}
}

static void names_of_git(void **state)
{
	(void)state;
	give("clone", OTHER);
	const char *safe = arena_printf(a, "[safe]\n\tdirectory = %s\n", in("clone"));
	write_file(".gitconfig", safe);
	assert_true(allowed("clone"));
	write_file(".gitconfig", "[safe]\n\tdirectory = ~/clone\n[safe]\n\tdirectory = \n");
	assert_false(allowed("clone")); /* an empty one clears the list */
	write_file(".gitconfig", "[safe]\n\tdirectory = \"*\"\n\tdirectory =\n");
	assert_false(allowed("clone"));
	write_file(".gitconfig", "[user]\n\tdirectory = ~/clone\n");
	assert_false(allowed("clone"));
	make_folder("xdg/git");
	write_file("xdg/git/config", safe);
	assert_true(allowed("clone"));
	write_file("none", "");
	setenv("GIT_CONFIG_GLOBAL", in("none"), 1); /* in place of both */
	assert_false(allowed("clone"));
	write_file("other", safe);
	setenv("GIT_CONFIG_GLOBAL", in("other"), 1);
	assert_true(allowed("clone"));
	/* that of the repository does not count: its owner writes it */
	setenv("GIT_CONFIG_GLOBAL", in("none"), 1);
	write_file("clone/.git/config", safe);
	assert_false(allowed("clone"));
}

static void names_of_the_system(void **state)
{
	(void)state;
	give("clone", OTHER);
	write_file("system", arena_printf(a, "[safe]\n\tdirectory = %s\n", in("clone")));
	setenv("GIT_CONFIG_SYSTEM", in("system"), 1);
	assert_false(allowed("clone"));
	setenv("GIT_CONFIG_NOSYSTEM", "0", 1);
	assert_true(allowed("clone"));
	setenv("GIT_CONFIG_NOSYSTEM", "false", 1);
	assert_true(allowed("clone"));
	setenv("GIT_CONFIG_NOSYSTEM", "", 1);
	assert_true(allowed("clone"));
	setenv("GIT_CONFIG_NOSYSTEM", "yes", 1);
	assert_false(allowed("clone"));
}

/* ---- what it borrows ---- */

static const char *leads(const char *what, const char *to, const char *user)
{
	return arena_printf(a,
	    "%s: %s leads to %s, which belongs to %s; to allow it, add it to ATOLL_SAFE_DIRECTORY",
	    in("clone"), what, in(to), user);
}

static const char *borrow_hint(const char *to)
{
	return arena_printf(a,
	    "If its owner agrees, allow it with `--safe-directory %s` (ATOLL_SAFE_DIRECTORY).", in(to));
}

static void alternates(void **state)
{
	(void)state;
	make_folder("clone/.git/objects/info");
	write_file("clone/.git/objects/info/alternates",
	    arena_printf(a, "# a comment\n\n%s\r\n../../../nowhere\n", in("elsewhere/objects")));
	assert_true(allowed("clone"));
	give("elsewhere", OTHER);
	refused("clone", leads("objects/info/alternates", "elsewhere/objects", "uid 54321"),
	    borrow_hint("elsewhere/objects"));
	name_safe("*"); /* allows repositories, not what they borrow */
	assert_false(allowed("clone"));
	name_safe(in("elsewhere"));
	assert_true(allowed("clone"));
	name_safe(in("elsewhere/objects"));
	assert_true(allowed("clone"));
	name_safe(dir);
	assert_true(allowed("clone"));
	name_safe(in("elsewhere/objects/ab"));
	assert_false(allowed("clone"));
	name_safe("/tmp"); /* nor what is three folders above */
	assert_false(allowed("clone"));
	/* of the same owner as the repository */
	give("clone", OTHER);
	name_safe(in("clone"));
	assert_true(allowed("clone"));
	give("elsewhere", THIRD);
	assert_false(allowed("clone"));
	give("elsewhere", 0); /* what is ours is not theirs */
	assert_false(allowed("clone"));
	setenv("SUDO_UID", "54321", 1);
	assert_true(allowed("clone"));
}

/* A line is resolved from the folder of objects. */
static void relative_alternates(void **state)
{
	(void)state;
	make_folder("clone/.git/objects/info");
	give("elsewhere", OTHER);
	write_file("clone/.git/objects/info/alternates", "../../../elsewhere/objects");
	assert_false(allowed("clone"));
	write_file("clone/.git/objects/info/alternates", "\"../../../elsewhere/objects\"\n");
	assert_false(allowed("clone"));
	assert_string_equal(e.msg,
	    arena_printf(a, "%s: alternates are quoted, or too many: %s", in("clone"),
	        in("clone/.git/objects/info/alternates")));
}

static void many_alternates(void **state)
{
	struct buf b = { 0 };

	(void)state;
	make_folder("clone/.git/objects/info");
	for (int i = 0; i < 100; i++)
		buf_printf(&b, "../../../no%d\n", i);
	write_file("clone/.git/objects/info/alternates", b.p);
	assert_true(allowed("clone"));
	buf_str(&b, "x\n");
	write_file("clone/.git/objects/info/alternates", b.p);
	assert_false(allowed("clone"));
	assert_non_null(strstr(e.msg, "quoted, or too many"));
	b.n = 0;
	while (b.n <= 64 << 10)
		buf_str(&b, "# a comment\n");
	write_file("clone/.git/objects/info/alternates", b.p);
	assert_false(allowed("clone"));
	assert_string_equal(e.msg,
	    arena_printf(a, "%s: alternates are too large: %s", in("clone"),
	        in("clone/.git/objects/info/alternates")));
	buf_free(&b);
}

static void deep_alternates(void **state)
{
	(void)state;
	make_folder("clone/.git/objects/info");
	write_file("clone/.git/objects/info/alternates", in("c0"));
	for (int i = 0; i < 5; i++) {
		make_folder(arena_printf(a, "c%d/info", i));
		if (i < 4)
			write_file(
			    arena_printf(a, "c%d/info/alternates", i), in(arena_printf(a, "c%d", i + 1)));
	}
	assert_true(allowed("clone"));
	make_folder("c5");
	write_file("c4/info/alternates", in("c5"));
	assert_false(allowed("clone"));
	assert_string_equal(e.msg,
	    arena_printf(a, "%s: alternates are too deep: %s", in("clone"), in("c4/info/alternates")));
}

static void links(void **state)
{
	static const char *const places[] = { "refs", "objects/pack", "objects/ab/cd" };

	(void)state;
	make_folder("foreign");
	give("foreign", OTHER);
	for (size_t i = 0; i < LEN(places); i++) {
		const char *place = in(arena_printf(a, "clone/.git/%s", places[i]));
		assert_int_equal(symlink(in("foreign"), place), 0);
		refused("clone",
		    leads(
		        arena_printf(a, "its link `%s`", strrchr(place, '/') + 1), "foreign", "uid 54321"),
		    borrow_hint("foreign"));
		unlink(place);
		assert_int_equal(symlink(in("bare"), place), 0);
		assert_true(allowed("clone"));
		unlink(place);
		assert_int_equal(symlink(in("nowhere"), place), 0);
		assert_true(allowed("clone"));
		unlink(place);
	}
	/* folders within others are not looked at */
	make_folder("clone/.git/hooks");
	assert_int_equal(symlink(in("foreign"), in("clone/.git/hooks/x")), 0);
	assert_true(allowed("clone"));
}

static void git_files_that_lead_elsewhere(void **state)
{
	(void)state;
	make_folder("tree");
	write_file("tree/.git", "gitdir: ../bare\n");
	assert_true(allowed("tree"));
	make_folder("tree2");
	give("tree2", OTHER);
	write_file("tree2/.git", "gitdir: ../bare\n");
	name_safe(in("tree2"));
	assert_false(allowed("tree2"));
	assert_non_null(strstr(e.msg, "its .git leads to "));
	write_file("bare/commondir", "../elsewhere");
	assert_true(allowed("bare"));
	give("elsewhere", OTHER);
	assert_false(allowed("bare"));
	assert_non_null(strstr(e.msg, "its common directory leads to "));
	give("elsewhere", 0);
	make_folder("foreign");
	give("foreign", OTHER);
	assert_int_equal(symlink(in("foreign"), in("elsewhere/refs")), 0);
	assert_false(allowed("bare"));
	assert_non_null(strstr(e.msg, "its link `refs` leads to "));
}

static void a_mirror(void **state)
{
	(void)state;
	give("bare", OTHER);
	repo_safe_mirror(in("bare"));
	assert_true(allowed("bare"));
	give("clone", OTHER);
	assert_false(allowed("clone"));
	assert_int_equal(symlink(in("elsewhere"), in("bare/refs")), 0);
	refused("bare",
	    arena_printf(a,
	        "%s: its link `refs` leads to %s; a mirror must not borrow from other folders",
	        in("bare"), in("elsewhere")),
	    "Delete the mirror; the shard clones it again.");
	assert_int_equal(lchown(in("bare/refs"), OTHER, OTHER), 0);
	give("elsewhere", OTHER);
	assert_false(allowed("bare"));
}

/* The last test, as what was read stays for the life of the process. */
static void names_that_were_read_before(void **state)
{
	(void)state;
	give("clone", OTHER);
	give("bare", OTHER);
	write_file(".gitconfig", "[safe]\n\tdirectory = ~/clone\n");
	name_safe(in("bare"));
	repo_safe_preload();
	unlink(in(".gitconfig"));
	assert_true(allowed("clone"));
	assert_true(allowed("bare"));
	give("elsewhere", OTHER);
	assert_false(allowed("elsewhere"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(parts),
		TEST(a_worktree),
		TEST(our_own),
		TEST(of_another_user),
		TEST(who_called_sudo),
		TEST(named_folders),
		TEST(names_of_git),
		TEST(names_of_the_system),
		TEST(alternates),
		TEST(relative_alternates),
		TEST(many_alternates),
		TEST(deep_alternates),
		TEST(links),
		TEST(git_files_that_lead_elsewhere),
		TEST(a_mirror),
		TEST(names_that_were_read_before),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, open_folder, remove_folder);
	arena_free(a);
	return rc;
}

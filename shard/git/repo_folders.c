/* The paths at which a repository has its files: implements a part of repo.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/git/repo_internal.h"

/* git follows alternates of alternates to this depth */
enum { MAX_ALTERNATE_DEPTH = 5, MAX_LINE = 4096 };

struct storage_path_visitor {
	void (*each)(void *, const char *path);
	void *arg;
	struct arena *a;
};

/* A path from a file that git reads, relative to `folder`. */
static void visit_relative_path(
    const struct storage_path_visitor *t, const char *folder, const char *path)
{
	if (*path == '/')
		folder = "";
	t->each(t->arg, arena_printf(t->a, "%s%s", folder, path));
}

static void visit_storage_path(
    const struct storage_path_visitor *t, const char *folder, const char *name)
{
	t->each(t->arg, arena_printf(t->a, "%s%s", folder, name));
}

/* The folders of objects that a folder of objects borrows from. */
static void visit_alternates(const struct storage_path_visitor *t, const char *objects, int depth)
{
	char line[MAX_LINE];

	if (depth >= MAX_ALTERNATE_DEPTH)
		return;
	FILE *f = fopen(arena_printf(t->a, "%s/info/alternates", objects), "re");
	if (!f)
		return;
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		const char *path = arena_str(t->a, line);
		if (*line != '/')
			path = arena_printf(t->a, "%s/%s", objects, line);
		visit_storage_path(t, path, "");
		visit_alternates(t, path, depth + 1);
	}
	fclose(f);
}

/* Each part is listed, because each may be a symbolic link (git-new-workdir). */
static void visit_git_dir(const struct storage_path_visitor *t, const char *folder)
{
	static const char *const parts[] = {
		"", "HEAD", "config", "info", "logs", "objects", "objects/info", "objects/pack",
		"packed-refs", "refs",
	};

	for (size_t i = 0; i < LEN(parts); i++)
		visit_storage_path(t, folder, parts[i]);
}

static void visit_included_config(
    const struct storage_path_visitor *t, git_repository *git, const char *path)
{
	const char *home = NULL;

	if (!strncmp(path, "~/", 2))
		home = getenv("HOME");
	if (home)
		visit_storage_path(t, home, path + 1);
	else
		visit_relative_path(t, git_repository_commondir(git), path);
}

/*
 * Files that the repository's own configuration includes.  libgit2 reads them whenever it opens the
 * repository.
 */
static void visit_included_configs(const struct storage_path_visitor *t, git_repository *git)
{
	git_config *all = NULL, *own = NULL;
	git_config_iterator *it = NULL;
	git_config_entry *entry;
	int rc = git_repository_config(&all, git);

	if (!rc)
		rc = git_config_open_level(&own, all, GIT_CONFIG_LEVEL_LOCAL);
	if (!rc)
		rc = git_config_iterator_glob_new(&it, own, "^include(if\\..*)?\\.path$");
	while (!rc && !git_config_next(&entry, it))
		visit_included_config(t, git, entry->value);
	git_config_iterator_free(it);
	git_config_free(own);
	git_config_free(all);
}

void repo_each_storage_path(struct repo *r, void (*each)(void *, const char *path), void *arg,
    struct arena *a)
{
	const struct storage_path_visitor t = { each, arg, a };
	const char *workdir = git_repository_workdir(r->git);
	const char *common = git_repository_commondir(r->git);

	if (workdir)
		visit_storage_path(&t, workdir, ".git");
	visit_git_dir(&t, git_repository_path(r->git));
	visit_git_dir(&t, common);
	visit_alternates(&t, arena_printf(a, "%sobjects", common), 0);
	visit_included_configs(&t, r->git);
}

void repo_isolate_config(void)
{
	static const int levels[] = {
		GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
		GIT_CONFIG_LEVEL_GLOBAL,
	};

	for (size_t i = 0; i < LEN(levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
}

/* Where a repository has its files: repo.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/git/repo_internal.h"

enum { DEEPEST = 5, LINE = 4096 };	/* alternates of alternates, as git has it */

struct storage_path_visitor {
	void (*each)(void *, const char *path);
	void *arg;
	struct arena *a;
};

static void visit_storage_path(
    const struct storage_path_visitor *t, const char *folder, const char *name)
{
	t->each(t->arg, arena_printf(t->a, "%s%s", folder, name));
}

/* The folders of objects that a folder of objects borrows from. */
static void visit_alternates(const struct storage_path_visitor *t, const char *objects, int depth)
{
	const char *list = arena_printf(t->a, "%s/info/alternates", objects), *path;
	FILE *f = NULL;
	char line[LINE];

	if (depth < DEEPEST)
		f = fopen(list, "re");
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		path = arena_printf(
		    t->a, "%s%s%s", *line == '/' ? "" : objects, *line == '/' ? "" : "/", line);
		visit_storage_path(t, path, "");
		visit_alternates(t, path, depth + 1);
	}
	if (f)
		fclose(f);
}

/* Each of them may be a symbolic link (git-new-workdir). */
static void visit_git_dir(const struct storage_path_visitor *t, const char *folder)
{
	static const char *const parts[] = {
		"", "HEAD", "config", "info", "logs", "objects", "objects/info", "objects/pack",
		"packed-refs", "refs",
	};

	for (size_t i = 0; i < LEN(parts); i++)
		visit_storage_path(t, folder, parts[i]);
}

/*
 * Files that its own configuration includes, which libgit2 reads each time that it opens the
 * repository.
 */
static void visit_included_configs(const struct storage_path_visitor *t, git_repository *git)
{
	git_config *all = NULL, *own = NULL;
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (!git_repository_config(&all, git) &&
	    !git_config_open_level(&own, all, GIT_CONFIG_LEVEL_LOCAL) &&
	    !git_config_iterator_glob_new(&it, own, "^include(if\\..*)?\\.path$"))
		while (!git_config_next(&entry, it)) {
			const char *home = NULL;
			if (!strncmp(entry->value, "~/", 2))
				home = getenv("HOME");
			if (home)
				visit_storage_path(t, home, entry->value + 1);
			else
				visit_storage_path(
				    t, *entry->value == '/' ? "" : git_repository_commondir(git), entry->value);
		}
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

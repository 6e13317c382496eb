#include "coordinator/cli/output/local_clones.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

enum { TIMEOUT_MS = 5000, PAGE = 200 };

struct local_clones {
	struct map *folders; /* repo_uri -> path */
};

/* Bare repositories have no files to open. */
static bool has_files(const char *path, struct arena *a)
{
	struct stat st;

	return *text_or_empty(path) == '/' && !stat(arena_printf(a, "%s/.git", path), &st);
}

static void add(struct local_clones *to, const struct repo_row *r, struct arena *a)
{
	if (has_files(r->source, a))
		*map_at(to->folders, r->repo_uri) = (void *)(uintptr_t)r->source;
}

struct local_clones *local_clones_read(const struct api_client *c, struct arena *a)
{
	struct local_clones *clones = arena_one(a, struct local_clones);
	const char *cursor = "";
	struct err e = { 0 };

	clones->folders = map_new();
	while (cursor) {
		struct list_repos_out page = { 0 };
		struct buf b = { 0 };
		args_num(&b, "limit", PAGE);
		args_str(&b, "cursor", cursor);
		if (client_get(c, "list_repos", args_end(&b, a), TIMEOUT_MS, &rec_list_repos_out, &page, a,
		        &e) != ANSWER_OK)
			break;
		for (size_t i = 0; i < page.repos.n; i++)
			add(clones, &page.repos.v[i], a);
		cursor = page.next_cursor;
	}
	return clones;
}

void local_clones_free(struct local_clones *clones)
{
	if (clones)
		map_free(clones->folders);
}

const char *local_clones_folder(const struct local_clones *clones, const char *repo_uri)
{
	if (!clones)
		return NULL;
	return map_get(clones->folders, repo_uri);
}

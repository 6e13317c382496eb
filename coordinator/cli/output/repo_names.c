#include "coordinator/cli/output/repo_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/repo_uri.h"

enum { TIMEOUT_MS = 5000, PAGE = 200, PAGES = 100 };

struct repo_names {
	struct arena *a;
	struct list_repos_out pages[PAGES];
	size_t n;
};

static bool is_local(const char *uri)
{
	return !strncmp(uri, "local:", 6);
}

struct repo_names *repo_names_for(const struct api_client *c, const char *body, struct arena *a)
{
	struct repo_names *names = arena_one(a, struct repo_names);
	const char *cursor = "";
	struct err e = { 0 };

	names->a = a;
	while (strstr(body, "\"local:") && cursor && names->n < PAGES) {
		struct list_repos_out *page = &names->pages[names->n];
		struct buf b = { 0 };
		args_num(&b, "limit", PAGE);
		args_str(&b, "cursor", cursor);
		if (client_get(c, "list_repos", args_end(&b, a), TIMEOUT_MS, &rec_list_repos_out, page, a,
		        &e) != ANSWER_OK)
			break;
		names->n++;
		cursor = page->next_cursor;
	}
	return names;
}

struct arena *repo_names_arena(const struct repo_names *names)
{
	return names->a;
}

const char *repo_names_uri(const struct repo_names *names, const char *uri)
{
	if (!uri)
		return "";
	if (is_local(uri))
		return arena_printf(names->a, "%.18s", uri);
	return uri;
}

const char *repo_names_get(const struct repo_names *names, const char *uri)
{
	if (!uri)
		return "";
	if (!is_local(uri))
		return uri_display_name(uri, NULL, names->a);
	for (size_t i = 0; i < names->n; i++)
		for (size_t j = 0; j < names->pages[i].repos.n; j++)
			if (!strcmp(names->pages[i].repos.v[j].repo_uri, uri))
				return names->pages[i].repos.v[j].name;
	return repo_names_uri(names, uri);
}

#ifndef PROTO_TEXT_FORGE_PAGE_H
#define PROTO_TEXT_FORGE_PAGE_H
/*
 * Addresses of files in repositories as forges write them: GitHub, GitLab, Bitbucket, Gitea, Gogs,
 * Azure DevOps, and the raw files of each.
 */

#include <stdbool.h>
#include <stdint.h>

struct arena;

struct forge_page {
	const char *path;	/* the file, if the address has it apart; else NULL */
	const char *ref_path;	/* else branch, tag or commit, and the file: `main/app/server.py` */
	uint64_t line;		/* the first that it points to; 0: none */
};

/*
 * Read what follows the repository in a URL, `/blob/main/app/server.py#L5`.  False if that is not
 * the address of a file.  Texts are decoded and live in `a`.
 */
bool forge_page_read(const char *rest, struct forge_page *, struct arena *a);

/*
 * The file of a page, or NULL.  A name of a branch may have slashes, so the longest file is taken
 * that follows `branch` (the default branch, or NULL) or that `exists`; else the name is taken to be
 * one segment.
 */
const char *forge_page_file(const struct forge_page *, const char *branch,
    bool (*exists)(void *arg, const char *path), void *arg);
#endif

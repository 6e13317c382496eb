#ifndef SHARD_HANDLERS_CHANGED_TEXTS_H
#define SHARD_HANDLERS_CHANGED_TEXTS_H
/* The diff of a change, with the texts and definitions of its files before and after. */

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/repo.h"
#include "shard/handlers/changed_definitions.h"

struct arena;
struct changes_req;
struct changes_res;
struct index_reader;
struct strs;

enum { CHANGED_TEXTS_REASONS = 24 };	/* maximum reasons in an answer */

/* A file of the change, before and after. */
struct file_versions {
	struct diff_file *d;
	struct file_version old, now;
	struct buf old_text, new_text;
	bool compared;		/* its texts were read */
};

struct changes_context {
	struct index_reader *r;
	struct repo *repo;
	struct arena *a;
	struct diff diff;
	bool text;		/* the caller gave a diff */
	struct file_versions *v;	/* one for each file of the diff */
	size_t bytes, left_out;
	struct strs *reasons;
	const char *sandbox;	/* of the child that parses them */
	struct err outline;	/* why some texts were not parsed */
};

/* Adds a reason why the answer may be incomplete, if there is room. */
void changed_texts_add_reason(struct changes_context *, const char *reason);

/* Reads the diff of the request: between two commits, or the one that the caller gave. */
int changed_texts_read_diff(
    struct changes_context *, const struct changes_req *, struct changes_res *out, struct err *e);

/*
 * Reads the texts of the files into `v`, which has one element per file of the diff; files that are
 * too large, or too many, are counted in `left_out`.  The caller frees old_text and new_text.
 */
int changed_texts_read(struct changes_context *, struct err *e);

/* Reads the definitions of the texts from the index, or parses the texts in a sandbox. */
void changed_texts_read_definitions(struct changes_context *);
#endif

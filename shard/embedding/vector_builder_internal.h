#ifndef SHARD_EMBEDDING_VECTOR_BUILDER_INTERNAL_H
#define SHARD_EMBEDDING_VECTOR_BUILDER_INTERNAL_H
/* What the files of the child that makes vectors share (vector_builder.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/embed/embedder.h"
#include "shard/index/index_store.h"
#include "shard/vectors/vector_file.h"

struct arena;
struct db;
struct err;
struct options;
struct repo;
struct test_names;
struct commit_subjects;

/* A document of the index, or what commits and tests say of a file. */
struct embedded_doc {
	uint64_t hash;			/* of its text; 0: they say nothing */
	int64_t file;			/* 0: there is none of this id */
	bool done;			/* has a vector */
};

/* What commits (commit_subjects.h) and tests (test_names.h) say of a file. */
struct file_summary {
	struct embedded_doc doc;
	const char *path;		/* NULL: there is none of this id */
	const char *text;		/* NULL: nothing */
	bool old;			/* the last row says something */
};

struct vector_builder {
	const struct options *o;
	const char *dir;
	struct embedder *embedder;
	bool http;
	struct index_info info;
	struct db *db;
	struct repo *repo;
	struct embedded_doc *docs;		/* by id */
	size_t n, total, done;
	struct commit_subjects *commit_subjects;		/* NULL: not known */
	struct test_names *test_names;
	struct arena *summary_arena;	/* of both */
	struct file_summary *files;	/* by id */
	size_t nfiles;
	size_t segments, dim;		/* of the file that is appended to */
	char settings[VECTORS_TEXT_SIZE];
	struct vectors_writer *w;	/* NULL until there is a row */
	size_t made, made_files;		/* by this run: of documents, of what is said of files */
	int64_t flushed_ms;

	struct arena *a;		/* of the batch */
	struct pending_text *batch;
	size_t nbatch, cap, want;	/* want: texts of a part of it */
};

/* A text that waits to be embedded. */
struct pending_text {
	uint32_t id;
	uint64_t hash;
	struct embed_text text;
};

/* The document of an id, also of a file (VECTORS_FILE_ROW); NULL: there is none. */
struct embedded_doc *vector_builder_doc(const struct vector_builder *, uint64_t id);

/* Whether a row of this text would be the first of its document. */
bool vector_builder_wants(const struct vector_builder *, uint64_t id, uint64_t hash);

/* Wait to be embedded; the text lives as long as the batch. */
void vector_builder_add(
    struct vector_builder *, uint32_t id, uint64_t hash, const char *text, size_t n);

/* Put the texts of a file's documents into the batch. */
int vector_builder_add_file(struct vector_builder *, int64_t file, struct err *e);

/* Read the files of the index, and what their tests are called. */
int file_summaries_load(struct vector_builder *, struct err *e);

/*
 * And what commits say of them, which may take seconds.  What cannot be read says nothing, and the
 * log says so.
 */
void file_summaries_add_commits(struct vector_builder *);

/* A row that is there is of a file: the last one counts.  Whether it is of what is said now. */
bool file_summaries_match_row(struct vector_builder *, uint64_t id, uint64_t hash);

/* Take back what is not said any more, and note of which commit it all is. */
void file_summaries_finish(struct vector_builder *);
#endif

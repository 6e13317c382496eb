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
struct tested;
struct told;

/* A document of the index, or what commits and tests say of a file. */
struct doc {
	uint64_t hash;			/* of its text; 0: they say nothing */
	int64_t file;			/* 0: there is none of this id */
	bool done;			/* has a vector */
};

/* What commits (commit_subjects.h) and tests (test_names.h) say of a file. */
struct told_file {
	struct doc doc;
	const char *path;		/* NULL: there is none of this id */
	const char *text;		/* NULL: nothing */
	bool old;			/* the last row says something */
};

struct making {
	const struct options *o;
	const char *dir;
	struct embedder *embedder;
	bool http;
	struct index_info info;
	struct db *db;
	struct repo *repo;
	struct doc *docs;		/* by id */
	size_t n, total, done;
	struct told *told;		/* NULL: not known */
	struct tested *tested;
	struct arena *told_texts;	/* of both */
	struct told_file *files;	/* by id */
	size_t nfiles;
	size_t segments, dim;		/* of the file that is appended to */
	char settings[VECTORS_TEXT];
	struct vectors_writer *w;	/* NULL until there is a row */
	size_t made, made_told;		/* by this run: of documents, of what is said of files */
	int64_t flushed_ms;

	struct arena *a;		/* of the batch */
	struct pending *batch;
	size_t nbatch, cap, want;	/* want: texts of a part of it */
};

/* A text that waits to be embedded. */
struct pending {
	uint32_t id;
	uint64_t hash;
	struct embed_text text;
};

/* The document of an id, also of a file (VECTORS_TOLD); NULL: there is none. */
struct doc *making_doc(const struct making *, uint64_t id);

/* Whether a row of this text would be the first of its document. */
bool making_wants(const struct making *, uint64_t id, uint64_t hash);

/* Wait to be embedded; the text lives as long as the batch. */
void making_add(struct making *, uint32_t id, uint64_t hash, const char *text, size_t n);

/* Put the texts of a file's documents into the batch. */
int making_file(struct making *, int64_t file, struct err *e);

/* Read the files of the index, and what their tests are called. */
int told_files_read(struct making *, struct err *e);

/* And what commits say of them, which may take seconds.  What cannot be read says nothing, and the log says so. */
void told_files_text(struct making *);

/* A row that is there is of a file: the last one counts.  Whether it is of what is said now. */
bool told_files_met(struct making *, uint64_t id, uint64_t hash);

/* Take back what is not said any more, and note of which commit it all is. */
void told_files_end(struct making *);
#endif

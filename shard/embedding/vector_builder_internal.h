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

/* A document of the index, or the summary of a file. */
struct embedded_doc {
	/*
	 * of its text; of a document only the low 32 bits until vector_builder_read_hashes; 0 for a
	 * summary without text
	 */
	uint64_t hash;
	int64_t file;			/* 0 if the id is unused */
	bool done;			/* has a vector */
};

/* The summary of a file: commit subjects (commit_subjects.h) and test names (test_names.h). */
struct file_summary {
	struct embedded_doc doc;
	const char *path;		/* NULL if the id is unused */
	const char *text;		/* NULL if there is none */
	bool old;			/* the last stored row is of some text */
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
	struct commit_subjects *commit_subjects;	/* NULL if they could not be read */
	struct test_names *test_names;
	struct arena *summary_arena;
	struct file_summary *files;	/* by id */
	size_t nfiles;
	size_t rows, segments, dim;	/* of the file that is appended to */
	size_t dead;			/* its rows that no document used when it was opened */
	char settings[VECTORS_TEXT_SIZE];
	struct vectors_writer *w;	/* NULL until there is a row */
	size_t made, made_files;	/* vectors made by this run: of documents, of summaries */
	int64_t flushed_ms;

	struct arena *a;		/* for the batch */
	struct pending_text *batch;
	size_t nbatch, cap;
	size_t want;			/* texts that are embedded at once */
};

/* A text that waits to be embedded. */
struct pending_text {
	uint32_t id;
	uint64_t hash;
	struct embed_text text;
};

/*
 * Reads which documents the index has, and of which files: from the table `ranking`, because there
 * are few rows of it.
 */
int vector_builder_read_docs(struct vector_builder *, struct err *e);

/* Completes the hashes of all documents. */
int vector_builder_read_hashes(struct vector_builder *, struct err *e);

/* The document or file summary (VECTORS_FILE_ROW) with this id; NULL if there is none. */
struct embedded_doc *vector_builder_doc(const struct vector_builder *, uint64_t id);

/* Whether a row with this text would be the first for its document. */
bool vector_builder_wants(const struct vector_builder *, uint64_t id, uint64_t hash);

/* Adds a text to the batch, which it must outlive. */
void vector_builder_add(
    struct vector_builder *, uint32_t id, uint64_t hash, const char *text, size_t n);

/* Adds the texts of a file's documents to the batch. */
int vector_builder_add_file(struct vector_builder *, int64_t file, struct err *e);

/* Reads the files of the index and the names of their tests. */
int file_summaries_load(struct vector_builder *, struct err *e);

/*
 * Adds the subjects of commits, which may take seconds. If they cannot be read there are none, and
 * the log contains the reason.
 */
void file_summaries_add_commits(struct vector_builder *);

/* Notes a stored row of a file; the last one counts. Returns whether it is of the current text. */
bool file_summaries_match_row(struct vector_builder *, uint64_t id, uint64_t hash);

/* Withdraws the rows of summaries that are empty now, and notes the commit of all summaries. */
void file_summaries_finish(struct vector_builder *);
#endif

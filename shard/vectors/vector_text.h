#ifndef SHARD_VECTORS_VECTOR_TEXT_H
#define SHARD_VECTORS_VECTOR_TEXT_H
/*
 * The texts that are embedded. For a definition: its doc comment, qualified name, the file's name,
 * its own body (which begins with the signature), and the path last. For text outside of
 * definitions: the file's name, that text without a licence and imports in front, and the path. The
 * beginning of a text counts most. Measured: tests/results/vectors.md.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Increased whenever the same document would give another text. */
enum { VECTOR_TEXT_VERSION = 2 };

struct vector_doc {
	/* set by the caller */
	int64_t id;
	uint64_t hash;
	const char *qualified, *doc;	/* NULL if there is none */
	bool gap;			/* outside of definitions */
	uint32_t start_line, end_line;
	bool wanted;
	/* set for wanted ones; n is 0 if the text is empty */
	const char *p;
	size_t n;
};

/*
 * Makes the texts of the wanted documents of a file, in the arena. `v` has all documents of the
 * file, by start_line, of equal ones the longest first: a line belongs to the innermost one.
 * `prose`: the file is not code.
 */
void vector_texts(const char *path, bool prose, const char *text, size_t n, struct vector_doc *v,
    size_t nv, struct arena *);
#endif

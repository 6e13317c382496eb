#ifndef SHARD_VECTORS_VECTOR_TEXT_H
#define SHARD_VECTORS_VECTOR_TEXT_H
/*
 * The texts that vectors are made of: of a definition its doc comment, qualified name, the file's
 * name, own body (which begins with the signature), and the path last; of text outside of
 * definitions the file's name, that text without the licence and the imports in front, and the
 * path.  What a text begins with counts most.  Measured: tests/results/vectors.md.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Grows whenever the same document would give another text. */
enum { VECTOR_TEXT_VERSION = 2 };

struct vector_doc {
	/* to be set */
	int64_t id;
	uint64_t hash;
	const char *qualified, *doc;	/* NULL: none */
	bool gap;			/* outside of definitions */
	uint32_t start_line, end_line;
	bool wanted;
	/* of those that are wanted; n is 0 when there is nothing to say */
	const char *p;
	size_t n;
};

/*
 * The texts of those documents of a file that are wanted.  `v`: all of the file's, by start_line,
 * of equal ones the longest first: a line belongs to the innermost.  `prose`: the file is no code.
 * In the arena.
 */
void vector_texts(const char *path, bool prose, const char *text, size_t n, struct vector_doc *v,
    size_t nv, struct arena *);
#endif

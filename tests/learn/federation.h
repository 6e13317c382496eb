#ifndef TESTS_LEARN_FEDERATION_H
#define TESTS_LEARN_FEDERATION_H
/* Repositories with indexes on disk, ranked like a federation: the documents and files of all repositories, one after the other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db;

enum { REPOS = 64 };

struct doc {
	float length, prior;		/* in words; percent */
	int file, repo;
	bool test;
	uint64_t text;
	char *key, *name, *qualified;	/* of a symbol that can be found by name */
};

struct federation {
	struct doc *v;
	float *vec;			/* DIM of each document */
	size_t n, files, repos;
	struct {
		struct db *db;
		size_t first;		/* of its documents */
	} repo[REPOS];
	double mean, living;		/* words of a document; documents that are there */
};

/* `list`: a line for each repository, its data folder and the OUT of dump.  Lives as long as the program. */
void federation_open(struct federation *, const char *list);

/* What is the same for all questions, to OUT.docs. */
void federation_write(const struct federation *, const char *out);
#endif

#ifndef SHARD_GRAPH_EDGE_SCAN_H
#define SHARD_GRAPH_EDGE_SCAN_H
/*
 * Finds the edges around many definitions at once.  Each file that may have such edges is read one
 * time only, in the order of paths, so the order of what is found depends on nothing but the
 * content of the index.  A scan that reaches its limit stops between two parts.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/graph/graph_query.h"

struct arena;
struct db;
struct err;
struct int_map;

/* A part of a scan: this many files. */
enum { EDGE_SCAN_FILES = 2048 };

struct scan_subject {
	struct graph_node node;
	unsigned in, out;	/* sets of the kinds of edges that are wanted: to it, and from it */
};

struct scanned_file {
	int64_t id;
	const char *path;
	bool touches;		/* it has an edge of the kinds `touching` to a subject */
};

struct edge_scan {
	/* the caller sets these */
	struct db *db;
	const struct scan_subject *subjects;
	size_t nsubjects;
	int min;		/* minimum confidence in hundredths; weaker edges are counted */
	size_t most;		/* edges of a part; 0 = any number */
	unsigned touching;	/* kinds of edges to a subject, of any confidence, for `touches` */
	struct walk_limit *limit;

	/* the rest is set by the functions */
	struct scanned_file *files;
	size_t nfiles, at;
	bool stopped;		/* the limit was reached */
	bool full;		/* `most` was: the rest of the part was not read */
	struct int_map *places;	/* of subjects by node, plus one */
	unsigned in, out;
};

/* Whether the limit is reached; counts a file that is about to be read. */
bool walk_limit_reached(struct walk_limit *);

/* List the files to read, in `a`.  Call edge_scan_close afterwards, even if this fails. */
int edge_scan_open(struct edge_scan *, struct arena *a, struct err *);

/*
 * Add the edges of the next part: node, kind, subject, incoming, and of `r` confidence, reason and
 * at_line.  1: there may be more parts; 0: this was the last, or the limit was reached and nothing
 * was added (`stopped`); -1: failed.
 */
int edge_scan_next(struct edge_scan *, struct neighbours *out, struct arena *, struct err *);
void edge_scan_close(struct edge_scan *);
#endif

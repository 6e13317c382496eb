#ifndef SHARD_GRAPH_SCIP_SCIP_OVERLAY_INTERNAL_H
#define SHARD_GRAPH_SCIP_SCIP_OVERLAY_INTERNAL_H
/*
 * Shared by scip_overlay.c, scip_overlay_documents.c (the files of the SCIP index) and
 * scip_overlay_occurrences.c (the names in their texts).
 */

#include <stdbool.h>

#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/base/text_lines.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"
#include "shard/graph/scip/scip.h"
#include "shard/graph/scip/scip_overlay.h"
#include "shard/storage/edge_store.h"

struct arena;
struct map;

/* A definition of the index, from `symbols`. */
struct overlay_definition {
	int64_t id, parent;
	const char *name, *qualified;
	enum kind kind;
	uint32_t start_line, end_line, start_byte, end_byte;
	bool test;
	struct overlay_file *doc;
};

/* Where a symbol of SCIP is defined. */
struct scip_definition {
	const char *symbol;
	uint32_t line, start, end;
	struct overlay_file *doc;
	struct overlay_definition *node;	/* its definition once the document is loaded; or NULL */
	struct scip_definition *next;		/* of the same symbol */
};

/* A file of the index, or one that only the SCIP index has. */
struct overlay_file {
	const char *path;
	const char *other;		/* another path that it may have; or NULL */
	int64_t file;			/* 0 = not indexed */
	char blob[REPO_OID_SIZE];
	bool test, loaded, fits;
	enum scip_column column;
	struct { size_t *v; size_t n, cap; } parts;	/* of scip_document */
	struct { struct scip_definition *v; size_t n, cap; } places;
	struct { struct overlay_definition *v; size_t n; } nodes;	/* in order of start_byte */
};

struct scip_overlay {
	struct db *db;
	struct repo *repo;
	const struct scip *scip;
	struct arena *a;		/* of all */
	struct map *docs;		/* path -> struct overlay_file */
	struct map *symbols;		/* -> struct scip_definition */
	struct map *packages;		/* of the symbols that are defined here */
	char reason[80];
	struct scip_overlay_counts n;
};

/* A text with its lines. */
struct scip_source_text {
	struct buf text;
	struct line_offsets lines;
	enum scip_column column;
};

/* Read `files` and all definitions of the SCIP index.  Call scip_overlay_end in any case. */
int scip_overlay_begin(struct scip_overlay *, struct db *, struct repo *, const struct scip *,
    const char *folder, struct err *e);
void scip_overlay_end(struct scip_overlay *);

/* Check the document's text and find its definitions; only the first call does anything. */
int overlay_file_load(struct scip_overlay *, struct overlay_file *, struct err *e);

/* The text of a file, which the caller frees; its lines live in `a`.  -1 if it does not exist. */
int source_text_read(
    struct scip_overlay *, const struct overlay_file *, struct arena *a, struct scip_source_text *);

/* The whole word at columns [start, end) of a line, as a range of bytes; false if there is none. */
bool source_text_word(const struct scip_source_text *, uint32_t line, uint32_t start, uint32_t end,
    size_t *from, size_t *to);

/* The innermost definition around a byte with that name (NULL: any name); or NULL. */
struct overlay_definition *overlay_file_enclosing(
    const struct overlay_file *, size_t byte, const char *name, size_t nname);
/* The definition with that id, or NULL. */
struct overlay_definition *overlay_file_definition(const struct overlay_file *, int64_t id);

/* Whether a word of the text is that name; it may lack the # of a private name. */
bool same_word(const char *text, size_t n, const char *name);
bool in_word(char);
enum { MAX_TARGETS = 16 };

enum verdict {
	VERDICT_UNKNOWN,	/* the SCIP index has nothing usable */
	VERDICT_EXTERNAL,	/* of another package */
	VERDICT_LOCAL,		/* a parameter or local variable */
	VERDICT_KNOWN
};

/* A name in the text, and its meaning. */
struct overlay_site {
	uint32_t line;
	size_t from, to;
	const struct overlay_definition *source;	/* around it; NULL = the file's top level */
	enum verdict verdict;
	bool import, called, found;	/* `found`: there is an edge to its meaning */
	struct overlay_definition *v[MAX_TARGETS];
	size_t n;
};

/* One file whose edges are corrected. */
struct overlay_run {
	struct scip_overlay *p;
	struct overlay_file *doc;
	struct arena *a;
	struct scip_source_text source;
	struct scip_document document;
	struct { struct overlay_site *v; size_t n; } sites;		/* in order of place */
	struct overlay_site **by_source;				/* in order of source, then place */
	/* the edges that were read, in order of source, then new ones */
	struct { struct stored_edge *v; size_t n, cap; } edges;
	size_t read;			/* how many were read */
	int64_t *ids;			/* of the facts' definitions */
	struct map *locals;		/* symbol -> struct overlay_definition, or `variable` */
	struct map *used;		/* paths that the result depends on */
	struct facts facts;
	struct err *e;
};

/* Find the meanings of the names of the text: v->sites, v->by_source. */
void sites_read(struct overlay_run *);

/* Record that the result depends on a file. */
void sites_record_dependency(struct overlay_run *, const struct overlay_file *);

/*
 * Whether most names are where the SCIP index has them.  For a file without definitions this is the
 * only check that the index saw the same text.
 */
bool sites_match_text(const struct overlay_run *);

/* The id of the definition around a site; 0 = the file's top level. */
int64_t site_source(const struct overlay_site *);

/* Whether every occurrence of the name on a line has a verdict of at least `least`. */
bool sites_cover_word(
    const struct overlay_run *, uint32_t line, const char *name, enum verdict least);
#endif

#ifndef SHARD_GRAPH_SCIP_SCIP_OVERLAY_INTERNAL_H
#define SHARD_GRAPH_SCIP_SCIP_OVERLAY_INTERNAL_H
/*
 * What scip_overlay.c and its parts share: scip_overlay_documents.c has the files as SCIP sees
 * them, scip_overlay_occurrences.c the names in their texts.
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
	struct overlay_definition *node;		/* once the document is loaded: that it is, or NULL */
	struct scip_definition *next;		/* of the same symbol */
};

/* A file, of the index or only of the SCIP index. */
struct overlay_file {
	const char *path;
	const char *other;		/* the path that it could have as well; NULL: none */
	int64_t file;			/* 0: it is not indexed */
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

/* A text by lines. */
struct scip_source_text {
	struct buf text;
	struct line_offsets lines;
	enum scip_column column;
};

/* Read `files` and all definitions of the SCIP index; scip_overlay_end in any case. */
int scip_overlay_begin(struct scip_overlay *, struct db *, struct repo *, const struct scip *,
    const char *folder, struct err *e);
void scip_overlay_end(struct scip_overlay *);

/* Check the document's text and find what it defines; once. */
int overlay_file_load(struct scip_overlay *, struct overlay_file *, struct err *e);

/* The text of a file, which the caller frees; its lines in `a`.  -1: it is not there. */
int source_text_read(
    struct scip_overlay *, const struct overlay_file *, struct arena *a, struct scip_source_text *);

/* The whole word at columns [start, end) of a line, as a range of bytes; false: there is none. */
bool source_text_word(const struct scip_source_text *, uint32_t line, uint32_t start, uint32_t end,
    size_t *from, size_t *to);

/* The innermost definition around a byte, of that name (NULL: of any). */
struct overlay_definition *overlay_file_enclosing(
    const struct overlay_file *, size_t byte, const char *name, size_t nname);
/* NULL: none */
struct overlay_definition *overlay_file_definition(const struct overlay_file *, int64_t id);

/* Whether a word of the text is that name; # before private names may be missing on either side. */
bool same_word(const char *text, size_t n, const char *name);
bool in_word(char);
enum { MAX_TARGETS = 16 };

enum verdict {
	VERDICT_UNKNOWN,			/* the SCIP index says nothing that holds */
	VERDICT_EXTERNAL,			/* of another package */
	VERDICT_LOCAL,				/* a parameter or local variable */
	VERDICT_KNOWN
};

/* A name in the text, with what it means. */
struct overlay_site {
	uint32_t line;
	size_t from, to;
	const struct overlay_definition *source;	/* that it is in; NULL: the file's top level */
	enum verdict verdict;
	bool import, called, found;	/* there is an edge to what it means */
	struct overlay_definition *v[MAX_TARGETS];
	size_t n;
};

/* A row of `edges`. */
/* One file whose edges are looked at. */
struct overlay_run {
	struct scip_overlay *p;
	struct overlay_file *doc;
	struct arena *a;
	struct scip_source_text source;
	struct scip_document document;
	struct { struct overlay_site *v; size_t n; } sites;		/* in order of place */
	struct overlay_site **by_source;				/* in order of source, then place */
	/* those that were there, in order of source, then new ones */
	struct { struct stored_edge *v; size_t n, cap; } edges;
	size_t read;			/* how many were there */
	int64_t *ids;			/* of the facts' definitions */
	struct map *locals;		/* symbol -> struct overlay_definition, or `variable` */
	struct map *used;		/* paths that the answer depends on */
	struct facts facts;
	struct err *e;
};

/* Find what the names of the text mean: v->sites, v->by_source. */
void sites_read(struct overlay_run *);

/* Note that the answer depends on a file. */
void sites_record_dependency(struct overlay_run *, const struct overlay_file *);

/*
 * Whether most names stand where they are said to: a file without definitions has nothing else to
 * show that it fits.
 */
bool sites_match_text(const struct overlay_run *);

/* Id of the definition that a site is in; 0: none. */
int64_t site_source(const struct overlay_site *);

/* Whether every such word of a line is known, by `least`, to mean something. */
bool sites_cover_word(
    const struct overlay_run *, uint32_t line, const char *name, enum verdict least);
#endif

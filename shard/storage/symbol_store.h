#ifndef SHARD_STORAGE_SYMBOL_STORE_H
#define SHARD_STORAGE_SYMBOL_STORE_H
/*
 * The definitions of the index on disk: a blob for each file (table `definitions`), their doc
 * comments (`told`), and which files define a name (`named`).  Stored as rows with indexes they
 * took three times the space.  SQL statements read them through the virtual table `symbols`:
 *
 *   id, key, file, name, qualified, kind, signature, doc, start_line, end_line, start_byte,
 *   end_byte, parent, exported, test, ordinal, place
 *
 * Lookups by id, key (symbol_match.h) and file are fast; one by key takes several keys, each on a
 * line, and has the rows of all of them.  An id combines the file and a number in
 * it, which starts at 1; it stays the same while the definition does, even if its file changes.
 *
 *   definitions   varint n, then for each definition in order of place:
 *                 - the number of bytes from its name on; the differences of start_byte and
 *                   start_line to the previous definition
 *                 - the name and a NUL; varint(kind * 8 + exported + 2 * test + 4 * extra)
 *                 - if extra: flags, then each field whose flag is set: the qualified name
 *                   (otherwise the parent's name and its own, joined by a dot), the ordinal
 *                   (otherwise 0), the number of the id (otherwise place + 1)
 *                 - the signature, with byte 1 in place of the name, and a NUL
 *                 - how many places before it its parent is (0 = no parent); the differences of
 *                   end_byte and end_line to the start
 *   told          each doc comment and a NUL, compressed by deflate.h; no row if there are none
 *   named         4,096 rows by the upper bits of a key's hash; each holds pairs of the rest of
 *                 the hash and the file, sorted, as differences
 *
 * Minor names are what a file names besides: variables of functions, keys of objects, names of
 * imports (facts.h).  The graph does not know them, so no edge, outline or count has them; only
 * lookups by name do.  They are stored likewise, in `minors` and `minors_named` (1,024 rows), without
 * docs, and statements read them through the virtual table `minor_symbols`.  Their numbers have the
 * bit SYMBOL_MINOR; lookups by id in `symbols` find them, too.  A row of more than 200 bytes is compressed
 * (deflate.h), behind a zero byte.  The names of files that are left out (left_out_names.h) are
 * stored among them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct db;
struct err;

/* The bits of an id that hold the number in its file, which limits the definitions of a file. */
enum { SYMBOL_BITS = 24, SYMBOL_MINOR = 1 << (SYMBOL_BITS - 1) };

static inline int64_t symbol_id(int64_t file, int64_t number)
{
	if (number)
		return (int64_t)((uint64_t)file << SYMBOL_BITS | (uint64_t)number);
	return 0;
}

static inline int64_t symbol_number(int64_t id)
{
	return id & ((1 << SYMBOL_BITS) - 1);
}

struct stored_symbol {
	int64_t id, parent;	/* ids; parent 0 = none; symbols_put ignores `parent` and uses `up` */
	int64_t up;		/* place of the parent, which comes before its own; -1 = none */
	const char *name, *qualified, *kind;
	const char *signature, *doc;	/* NULL if absent; symbols_read leaves out docs */
	int64_t start_line, end_line, start_byte, end_byte;
	int64_t exported, test;
	int64_t ordinal;	/* among those of its file with the same qualified name and kind */
};

struct stored_symbols {
	struct stored_symbol *v;	/* in the order of the file's facts */
	size_t n;
};

/* Which of the names of a file: its definitions, or its minor names. */
enum symbol_rank { SYMBOLS_MAJOR, SYMBOLS_MINOR };

/*
 * The number of files that define a name with this key (symbol_match.h), and of those that have a
 * minor name with it.
 */
int symbols_count_files(struct db *, const char *key, uint64_t *out, struct err *);

/* Let statements of this db read `symbols` and `minor_symbols`. */
int symbols_register_table(struct db *, struct err *e);

/*
 * Replace the definitions, or the minor names, of the file by these.  If `keys` is NULL, the definitions can be found
 * by name at once.  Otherwise their names are collected in `keys` for symbols_write_names, and the
 * file must not have definitions yet.  Strings are valid UTF-8.  Ids of minor names are ignored.
 */
int symbols_put(struct db *, int64_t file, enum symbol_rank, const struct stored_symbols *,
    struct buf *keys, struct err *e);

/* Write the names that were collected for the whole index, and free them. */
int symbols_write_names(struct db *, enum symbol_rank, struct buf *keys, struct err *e);

/* The definitions of a file, in the arena; empty if it has none. */
int symbols_read(struct db *, int64_t file, struct arena *, struct stored_symbols *, struct err *e);
#endif

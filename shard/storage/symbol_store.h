#ifndef SHARD_STORAGE_SYMBOL_STORE_H
#define SHARD_STORAGE_SYMBOL_STORE_H
/*
 * The definitions of the index on disk: a blob for each file (`definitions`), their doc comments
 * (`told`), and which files have a name (`named`).  As rows of their own with indexes they took
 * three times the room.  Statements read them as the table `symbols`, which is made from those:
 *
 *   id, key, file, name, qualified, kind, signature, doc, start_line, end_line, start_byte, end_byte, parent, exported, test,
 *   ordinal, place
 *
 * By id, key (symbol_match.h) and file it is quick.  An id is its file and a number in it, from 1
 * on; it stays when the file changes and the definition does not.
 *
 *   definitions   varint n, then for each, in order of place: the bytes from its name on, differences of start_byte and start_line to
 *                 those before; the name and its NUL; varint(kind * 8 + exported + 2 * test + 4 * more); if more: flags, and what
 *                 they say is there: the qualified name, the ordinal, the number of the id (without: parent's and own name,
 *                 joined; 0; place + 1); the signature with byte 1 for the name, and its NUL; how many places before it its
 *                 parent is (0: none); differences of end_byte and end_line to the start
 *   told          deflate.h: the doc comment of each and its NUL; no row: none has any
 *   named         a row for each 4096th of all hashes of keys: the rest of the hash and the file of each, sorted, as differences
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct db;
struct err;

/* of an id: the number in its file; so many definitions may a file have */
enum { SYMBOL_BITS = 24 };

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
	int64_t id, parent;	/* 0: none; the parent's is not looked at when it is put */
	int64_t up;		/* place of the parent, before its own; -1: none */
	const char *name, *qualified, *kind;
	const char *signature, *doc;	/* NULL: none; symbols_read leaves docs out */
	int64_t start_line, end_line, start_byte, end_byte;
	int64_t exported, test;
	int64_t ordinal;	/* among those of its file with the same qualified name and kind */
};

struct stored_symbols {
	struct stored_symbol *v;	/* by place: that of its facts */
	size_t n;
};

/* Let statements of this db read `symbols`. */
int symbols_register_table(struct db *, struct err *e);

/*
 * Make these the definitions of the file, in place of those that it has.  `keys` NULL: they can be
 * found by name at once; else that is gathered there for symbols_write_names, and the file must
 * have none yet.  Strings are valid UTF-8.
 */
int symbols_put(
    struct db *, int64_t file, const struct stored_symbols *, struct buf *keys, struct err *e);

/* Write what was gathered of the whole index; takes it away. */
int symbols_write_names(struct db *, struct buf *keys, struct err *e);

/* The definitions of a file, in the arena; none when it has none. */
int symbols_read(struct db *, int64_t file, struct arena *, struct stored_symbols *, struct err *e);
#endif

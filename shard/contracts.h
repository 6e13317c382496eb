#ifndef SHARD_CONTRACTS_H
#define SHARD_CONTRACTS_H
/*
 * Contract facts: which requests a file answers and which it makes.  Frameworks are data, the queries in
 * lang/<folder>/routes/; lang/README.md has the captures that they may use.
 */

struct contracts;
struct err;
struct facts;
struct found_list;
struct rules;
struct tree;

/* The frameworks of a language; each is compiled when a file needs it.  NULL with INTERNAL naming a broken file. */
struct contracts *contracts_new(const struct rules *, struct err *);
void contracts_free(struct contracts *);	/* NULL is fine */

/* Compile all now; -1 with INTERNAL naming the file and the line. */
int contracts_check(struct contracts *, struct err *);

/* Fill out->contracts in order of line, living in t->arena.  Not thread-safe on one `struct contracts`. */
void contracts_find(struct contracts *, struct tree *t, const struct found_list *found, struct facts *out);
#endif

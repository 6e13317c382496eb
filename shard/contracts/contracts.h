#ifndef SHARD_CONTRACTS_CONTRACTS_H
#define SHARD_CONTRACTS_CONTRACTS_H
/*
 * Contract facts: which requests a file answers and which it makes.  Frameworks are data, the
 * queries in lang/<folder>/routes/; lang/ROUTES.md has the captures that they may use.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct contracts;
struct err;
struct fact_list;
struct facts;
struct found_definitions;
struct crossfile;
struct contract_file;
struct rules;
struct framework_matches;
struct syntax_tree;

/*
 * The frameworks of a language; each is compiled when a file needs it.  NULL with INTERNAL naming
 * a broken file.
 */
struct contracts *contracts_new(const struct rules *, struct err *);
void contracts_free(struct contracts *);	/* NULL is fine */

/* Compile all now; -1 with INTERNAL naming the file and the line. */
int contracts_check(struct contracts *, struct err *);

/*
 * Look which frameworks the text speaks of; whether there are any, so that queries will ask for
 * the tree's nodes.
 */
bool contracts_detect(struct contracts *, const struct syntax_tree *t);

/*
 * Fill out->contracts in order of line, and out->open, living in t->arena: what the file alone
 * says, of the frameworks that contracts_detect found in it.  Not thread-safe on one `struct
 * contracts`.  `keep` (NULL: nothing) gets what queries found in an open file: it points into the
 * tree and the contracts, and is for framework_matches_free.
 */
void contracts_find(struct contracts *, struct syntax_tree *t,
    const struct found_definitions *found, struct facts *out, struct framework_matches **keep);
void framework_matches_free(struct framework_matches *);	/* NULL is fine */

/*
 * The same with all files known: facts at calls of a wrapper name the caller's file.  `also`:
 * names of frameworks, with blanks around, that the file needs though its text does not say so.
 * Into `out`, whose array is the caller's to free, in the reading's arena.
 */
void contracts_find_crossfile(
    struct contract_file *, struct crossfile *, const char *also, struct fact_list *out);

/*
 * What the file says of objects that others make: `each` gets the framework, the file and byte (or
 * name) of what is made there, and the byte of the spot; for a prefix for all of a framework
 * without a file.
 */
struct framework_object;
void contracts_find_links(struct contract_file *, struct crossfile *, const char *also,
    void (*each)(void *, const char *framework, const struct framework_object *, uint32_t at),
    void *);
#endif

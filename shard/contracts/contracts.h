#ifndef SHARD_CONTRACTS_CONTRACTS_H
#define SHARD_CONTRACTS_CONTRACTS_H
/*
 * Contract facts: the requests that a file handles and those that it makes.  Frameworks are data:
 * the queries in lang/<folder>/routes/, whose captures lang/ROUTES.md describes.
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

/* Detect which frameworks the text uses; false: none, so no query will need the tree's nodes. */
bool contracts_detect(struct contracts *, const struct syntax_tree *t);

/*
 * Fill out->contracts, in order of line, and out->open from the file alone, for the frameworks that
 * contracts_detect found in it.  Both live in t->arena.  Not thread-safe for one `struct
 * contracts`. `keep` (or NULL) receives the matches of an open file; they point into the tree and
 * the contracts. Free them with framework_matches_free.
 */
void contracts_find(struct contracts *, struct syntax_tree *t,
    const struct found_definitions *found, struct facts *out, struct framework_matches **keep);
void framework_matches_free(struct framework_matches *);	/* NULL is fine */

/*
 * The same with all files known: facts at calls of a wrapper name the caller's file.  `also`: names
 * of frameworks, with blanks around them, that the file needs although its text does not mention
 * them.  The caller frees the array of `out`; its strings live in the file's arena.
 */
void contracts_find_crossfile(
    struct contract_file *, struct crossfile *, const char *also, struct fact_list *out);

/*
 * What the file mounts on or changes in objects of other files.  `each` receives the framework, the
 * object (its file and byte, or its name; NULL for a global prefix) and the byte of the match.
 */
struct framework_object;
void contracts_find_links(struct contract_file *, struct crossfile *, const char *also,
    void (*each)(void *, const char *framework, const struct framework_object *, uint32_t at),
    void *);
#endif

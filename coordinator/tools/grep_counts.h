#ifndef COORDINATOR_TOOLS_GREP_COUNTS_H
#define COORDINATOR_TOOLS_GREP_COUNTS_H
/* Where the matches of an exact search are: which repositories and languages have most of them. */

#include <stddef.h>

struct arena;
struct grep_out;
struct grep_repo;
struct grep_res;

enum { GREP_COUNTS_MAX = 50 }; /* rows of each list */

/*
 * Set by_repo and repos_total by the counts of `n` repositories, in any order.  Sorts `v`, drops
 * those without a match, and keeps it.
 */
void grep_counts_by_repo(struct grep_out *, struct grep_repo *v, size_t n);

/* Set by_language and languages_total to the sums over the answers of `n` shards; rows in `a`. */
void grep_counts_by_language(
    struct grep_out *, const struct grep_res *const *v, size_t n, struct arena *a);
#endif

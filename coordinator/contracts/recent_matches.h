#ifndef COORDINATOR_CONTRACTS_RECENT_MATCHES_H
#define COORDINATOR_CONTRACTS_RECENT_MATCHES_H
/*
 * What the last matches of the groups left for the next ones (match_memory.h), by the name of their
 * tables.  Kept in memory, for the groups that were matched last.  Any thread may call these
 * functions.
 */

struct match_memory;
struct recent_matches;

struct recent_matches *recent_matches_new(void);
void recent_matches_free(struct recent_matches *); /* NULL is fine */

/*
 * Take what was left with the tables that have this digest: the caller owns it.  NULL if there is
 * nothing, or `digest` is NULL.
 */
struct match_memory *recent_matches_take(
    struct recent_matches *, const char *name, const char *digest);

/* Leave it in the place of what was left for these tables before.  Takes the memory. */
void recent_matches_leave(
    struct recent_matches *, const char *name, const char *digest, struct match_memory *);
#endif

#ifndef COORDINATOR_AUTH_TOKENS_H
#define COORDINATOR_AUTH_TOKENS_H
/*
 * Bearer tokens: who may ask, and which repositories that may see.  Kept in the registry as
 * SHA-256 hashes (a token is 160 random bits, so that nothing slower is needed) and in memory,
 * where requests find them.  Any thread may call.
 *
 * A token without groups and repositories may see all; else those repositories and the members
 * that its groups have at the time; of them what is no more private than its visibility.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/records/records.h"

struct caller;
struct err;
struct coordinator_config;
struct registry;
struct access_token;
struct tokens;

enum { TOKEN_SIZE = 6 + 40 + 1 };	/* `atoll_`, 40 hex digits, NUL */

/*
 * Read them, and take the one of --bootstrap-token-file (name `bootstrap`) and of whoever started
 * us (`starter`; in memory only).  `forget` is called when a caller may ask no more; any thread.
 * NULL with `e`: DB_ERROR, INVALID_INPUT (the file).
 */
struct tokens *tokens_open(struct registry *, const struct coordinator_config *,
    void (*forget)(void *arg, const struct caller *), void *arg, struct err *);

/* Others have made or revoked some.  Any thread. */
void tokens_reload(struct tokens *);

void tokens_free(struct tokens *);		/* NULL is fine */

/* Whether there is one: then every request must carry one. */
bool tokens_exist(struct tokens *);

/*
 * Whose token this is; lives as long as `tokens`.  NULL with FORBIDDEN: unknown, revoked or
 * expired.  What it may see is as the registry has it now.
 */
const struct caller *tokens_caller(struct tokens *, const char *secret, struct err *);

/*
 * Whether the caller of an earlier request could ask now, too; what it may see is then as the
 * registry has it.
 */
bool tokens_still_valid(struct tokens *, const struct caller *);

/* Bring what all may see up to date, and keep when they were used.  Of one thread, now and then. */
void tokens_tick(struct tokens *);

/* Make one; its text is told this once.  INVALID_INPUT: a bad or taken name. */
int tokens_create(struct tokens *, const struct token_row *, char secret[TOKEN_SIZE], struct err *);

/* From now on it opens nothing.  NOT_FOUND. */
int tokens_revoke(struct tokens *, const char *name, struct err *);

/* All that are kept, by name. */
void tokens_rows(struct tokens *, struct token_row **v, size_t *n, struct arena *);

/* For caller.c. */
bool token_sees(struct access_token *, const char *repo_uri);
bool token_names_group(const struct access_token *, const char *group);
#endif

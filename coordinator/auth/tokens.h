#ifndef COORDINATOR_AUTH_TOKENS_H
#define COORDINATOR_AUTH_TOKENS_H
/*
 * Bearer tokens, and which repositories each may see.  They are stored in the registry as SHA-256
 * hashes (a token is 160 random bits, so a slower hash is not needed) and cached in memory.  Any
 * thread may call.
 *
 * A token without groups and repositories sees all repositories; another one sees its repositories
 * and the current members of its groups.  Of these, it sees only those that are at least as public
 * as its visibility.
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
 * Load the stored tokens, and add those of --bootstrap-token-file (named `bootstrap`) and of the
 * program that started us (`starter`), both in memory only.  `forget` is called, on any thread,
 * when a token becomes invalid.  NULL with DB_ERROR, or INVALID_INPUT for the file.
 */
struct tokens *tokens_open(struct registry *, const struct coordinator_config *,
    void (*forget)(void *arg, const struct caller *), void *arg, struct err *);

/* Other coordinators have created or revoked tokens.  Any thread. */
void tokens_reload(struct tokens *);

void tokens_free(struct tokens *);		/* NULL is fine */

/* Whether there are any tokens: then every request needs one. */
bool tokens_exist(struct tokens *);

/*
 * The caller with this token; lives as long as `tokens`.  NULL with FORBIDDEN if the token is
 * unknown, revoked or expired.  Updates what the caller may see from the registry.
 */
const struct caller *tokens_caller(struct tokens *, const char *secret, struct err *);

/* Whether the caller of an earlier request is still valid; if so, updates what it may see. */
bool tokens_still_valid(struct tokens *, const struct caller *);

/* Update what all may see, and store when they were used.  Called periodically, by one thread. */
void tokens_tick(struct tokens *);

/* Create a token; `secret` is returned only here.  INVALID_INPUT for an invalid or taken name. */
int tokens_create(struct tokens *, const struct token_row *, char secret[TOKEN_SIZE], struct err *);

/* Revoke a token.  NOT_FOUND. */
int tokens_revoke(struct tokens *, const char *name, struct err *);

/* All valid tokens except `starter`, sorted by name. */
void tokens_rows(struct tokens *, struct token_row **v, size_t *n, struct arena *);

/* For caller.c. */
bool token_sees(struct access_token *, const char *repo_uri);
bool token_names_group(const struct access_token *, const char *group);
#endif

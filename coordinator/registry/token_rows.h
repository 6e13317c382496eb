#ifndef COORDINATOR_REGISTRY_TOKEN_ROWS_H
#define COORDINATOR_REGISTRY_TOKEN_ROWS_H
/*
 * Tokens as the registry keeps them, within a transaction: for tokens.c, which knows what they
 * open.
 */

#include "proto/net/crypto.h"

struct arena;
struct db;
struct err;
struct token_row;

/* Keep a new one.  INVALID_INPUT: the name is taken. */
int token_row_put(struct db *, const struct token_row *, const char *hash, struct err *);

/* The one that is called `r->name`, and its hash.  -1 also when there is none. */
int token_row_get(
    struct db *, struct token_row *r, char hash[SHA256_HEX], struct arena *, struct err *);

/* INVALID_INPUT: a token `name` is there.  Always -1. */
int err_token_taken(const char *name, struct err *);
#endif

#ifndef COORDINATOR_REGISTRY_TOKEN_ROWS_H
#define COORDINATOR_REGISTRY_TOKEN_ROWS_H
/* Reads and writes the rows of tokens within a transaction, for tokens.c. */

#include "proto/net/crypto.h"

struct arena;
struct db;
struct err;
struct token_row;

/* Store a new token.  INVALID_INPUT if the name is taken. */
int token_row_put(struct db *, const struct token_row *, const char *hash, struct err *);

/* Read the token called `r->name`, and its hash.  -1 also if there is none. */
int token_row_get(
    struct db *, struct token_row *r, char hash[SHA256_HEX], struct arena *, struct err *);

/* INVALID_INPUT: a token `name` already exists.  Always -1. */
int err_token_taken(const char *name, struct err *);
#endif

#ifndef COORDINATOR_CONTRACTS_MATCHING_SERVICE_NAME_H
#define COORDINATOR_CONTRACTS_MATCHING_SERVICE_NAME_H
/*
 * Reduces names to the service that they are about: `USER_SERVICE_URL` and `usersApi` become
 * `user`, and the end of `shop-user-svc` does too.
 */

#include <stdbool.h>
#include <stddef.h>

enum { NAME_WORDS = 12, NAME_CORE = 96 };

struct name_words {
	char v[NAME_WORDS][NAME_CORE];	/* lower case */
	size_t n;
	bool address;	/* one of the words means an address: url, host, … */
};

/* Split a name into words, without words that mean an address or a service. */
void name_words(const char *name, struct name_words *);

/*
 * Join the words from the i-th on, in the singular.  Returns false if the result is too short to
 * identify a service.
 */
bool name_core(const struct name_words *, size_t i, char out[NAME_CORE]);

/* Whether a word is what a repository is named after: `accounts` for `bank/account-service`. */
bool name_is_of(const char *repository, const char *word);
#endif

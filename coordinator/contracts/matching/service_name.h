#ifndef COORDINATOR_CONTRACTS_MATCHING_SERVICE_NAME_H
#define COORDINATOR_CONTRACTS_MATCHING_SERVICE_NAME_H
/*
 * What a service is called, whatever is written around it: `USER_SERVICE_URL`, `usersApi`,
 * `shop-user-svc` are all `user`.
 */

#include <stdbool.h>
#include <stddef.h>

enum { NAME_WORDS = 12, NAME_CORE = 96 };

struct name_words {
	char v[NAME_WORDS][NAME_CORE];	/* lower case */
	size_t n;
	bool address;	/* one was a word for an address: url, host, … */
};

/* The words of a name without those for addresses and services, unless nothing is left. */
void name_words(const char *name, struct name_words *);

/*
 * The words from the i-th on as one, in the singular; false: too short to say anything, or they
 * were all left out.
 */
bool name_core(const struct name_words *, size_t i, char out[NAME_CORE]);
#endif

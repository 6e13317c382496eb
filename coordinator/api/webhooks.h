#ifndef COORDINATOR_API_WEBHOOKS_H
#define COORDINATOR_API_WEBHOOKS_H
/*
 * Pushes reported by forges (forges.def).  A request with a valid proof starts an update of the
 * repository, if the push was to its default branch.  It is answered at once with 202; the work is
 * a job.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct coordinator;
struct err;

enum proof { HMAC, SECRET };

struct forge {
	const char *name, *title;
	enum proof proof;
	const char *proof_header, *event_header, *push, *ping, *delivery_header, *object, *urls;
	size_t secret, secret_file;	/* offsets in struct coordinator_config */
};

extern const struct forge forges[];		/* ends with a NULL name */

/* Read the secrets from their files.  -1 with INVALID_INPUT, naming the option. */
int webhooks_open(struct coordinator *, struct err *);

/* Whether `proof`, the value of its header, is correct for the body. */
bool webhook_verify(
    const struct forge *, const char *secret, const char *proof, const void *body, size_t n);

/* The contents of a push; strings live in the arena. */
struct push {
	const char *repo_uri;		/* of the first usable URL */
	const char *uris[3];		/* of all usable URLs */
	const char *before, *after;	/* NULL if the branch did not exist then */
	const char *ignored;		/* why the push is ignored, or NULL */
};

/* Read the body of a push event: JSON, or a form with JSON in `payload`.  -1 with INVALID_INPUT. */
int webhook_parse(const struct forge *, const char *type, const char *body, size_t n,
    struct push *out, struct arena *, struct err *);
#endif

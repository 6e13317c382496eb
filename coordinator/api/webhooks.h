#ifndef COORDINATOR_API_WEBHOOKS_H
#define COORDINATOR_API_WEBHOOKS_H
/*
 * What forges tell of pushes (forges.def): who proves to know the secret may ask for an update of
 * the repository, when the push was to its default branch.  Answered at once, 202; the work is a
 * job.
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

/* Read the secrets that stand in files.  -1 with INVALID_INPUT that names the option. */
int webhooks_open(struct coordinator *, struct err *);

/* Whether `proof`, as its header has it, is right for the body. */
bool webhook_verify(
    const struct forge *, const char *secret, const char *proof, const void *body, size_t n);

/* What a push says; strings live in the arena. */
struct push {
	const char *repo_uri;		/* of the first URL that is one */
	const char *uris[3];		/* of all of them, as far as there are */
	const char *before, *after;	/* NULL: not of this push's branch */
	const char *ignored;		/* why it is nothing to us; NULL: it is */
};

/*
 * Read the body of a push event, JSON or a form whose field `payload` is.  -1 with INVALID_INPUT.
 */
int webhook_parse(const struct forge *, const char *type, const char *body, size_t n,
    struct push *out, struct arena *, struct err *);
#endif

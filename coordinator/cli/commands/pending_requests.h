#ifndef COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
#define COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
/* The requests that `atoll mcp` has forwarded and that are not answered yet.  Any thread. */

#include <stdatomic.h>
#include <stdbool.h>

struct pending_request {
	struct pending_request *prev, *next;	/* private to pending_requests.c */
	const char *id;			/* JSON, or NULL if it has none */
	atomic_bool stop;		/* the host has cancelled it */
};

/* The request is in the list until it is removed.  The caller keeps ownership. */
void pending_request_add(struct pending_request *);
void pending_request_remove(struct pending_request *);

/* Close the request's connection to the coordinator, which cancels it. */
void pending_request_cancel(const char *id);
#endif

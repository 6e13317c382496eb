#ifndef COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
#define COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
/* Requests that `atoll mcp` has passed on and that are not answered.  Any thread. */

#include <stdatomic.h>
#include <stdbool.h>

struct pending_request {
	struct pending_request *prev, *next;	/* of pending_requests.c */
	const char *id;			/* JSON; NULL: it has none */
	atomic_bool stop;		/* the host does not want its answer any more */
};

/* It is under way, until it is dropped; it stays the caller's. */
void pending_request_add(struct pending_request *);
void pending_request_remove(struct pending_request *);

/* Hang up on the coordinator: over HTTP that is what cancels. */
void pending_request_cancel(const char *id);
#endif

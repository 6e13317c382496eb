#ifndef COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
#define COORDINATOR_CLI_COMMANDS_PENDING_REQUESTS_H
/* Requests that `atoll mcp` has passed on and that are not answered.  Any thread. */

#include <stdatomic.h>
#include <stdbool.h>

struct passed {
	struct passed *prev, *next;	/* of pending_requests.c */
	const char *id;			/* JSON; NULL: it has none */
	atomic_bool stop;		/* the host does not want its answer any more */
};

/* It is under way, until it is dropped; it stays the caller's. */
void passed_add(struct passed *);
void passed_drop(struct passed *);

/* Hang up on the coordinator: over HTTP that is what cancels. */
void passed_cancel(const char *id);
#endif

#ifndef COORDINATOR_CALLS_CALL_H
#define COORDINATOR_CALLS_CALL_H
/*
 * Tools: what can be asked of the coordinator, one table (tools.def), one function each.
 * A call never holds a thread while it waits for shards: a tool starts its fan-outs (fanout.h) and
 * ends the call from their continuation.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/auth/rate_limits.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/audit_log.h"
#include "coordinator/records/records.h"
#include "proto/base/err.h"
#include "proto/record/record.h"

struct arena;
struct call;
struct caller;
struct fanout_state;
struct coordinator;
struct member;
struct members;
struct coordinator_config;
struct registry;

enum tool_where { ADMIN, MCP, EXTRA };
enum tool_hints { READS = 0, WRITES = 1, IDEMPOTENT = 2, DESTROYS = 4, QUICK = 8, GOVERNS = 16,
    POLLED = 32 };

struct tool {
	const char *name, *title, *doc;
	const struct record *in, *out;
	enum tool_where where;
	int hints;
	void (*run)(struct call *);
};

extern const struct tool tools[];	/* tool_table.c; ends with a NULL name */
const struct tool *tool_get(const char *name);	/* or NULL */

/* Whether MCP offers it: `wanted` is --tools: default (NULL) | all | names separated by commas. */
bool tool_offered(const struct tool *, const char *wanted);

/*
 * "; near it: `query`" for a name that is none of those that MCP offers, or of all with NULL as
 * `wanted`; "" when none is near.  In `a`.
 */
const char *tool_suggest(const char *typed, const char *wanted, struct arena *a);

/* INVALID_INPUT: a name in `wanted` is no tool that MCP can offer. */
int tool_check_offer(const char *wanted, struct err *);

/* One use of a tool, from arguments to answer.  Everything it points to lives in `a`. */
struct call {
	struct coordinator *co;
	struct members *members;	/* these three are of `co` */
	struct registry *registry;
	const struct coordinator_config *o;
	const struct caller *caller;
	const struct tool *tool;
	struct arena *a;
	char req[20];			/* id in logs and on the wire */
	/* of its caller: calls of each take turns here and in shards; 0: the coordinator's own */
	uint64_t share;
	int64_t start_ms, deadline_ms;	/* monotonic */
	const void *in;			/* a tool->in record */
	void *out;			/* a zeroed tool->out record, to fill */
	struct err e;			/* set: the answer is this failure */
	/* the failure's body: choices are set by the tool, the rest by call_end */
	struct problem problem;
	void *state;			/* the tool's own, between its steps */
	/* run before the call ends, however it does: gives up what `leaving` is; or NULL */
	void (*on_end)(struct call *);
	void *on_end_arg;
	void (*done)(struct call *);	/* these four: struct call_client */
	void (*step)(struct call *, unsigned steps, const char *what);
	void *ctx;
	const void *asker;
	const char *via;
	struct limits_permit turn;		/* of its caller's */
	/* of a question that waits for its turn (fanout_enter), and what it does then */
	struct admission_ticket pass;
	void (*entered)(struct call *);
	struct audit_repos touched;		/* under the lock of co->calls */
	pthread_mutex_t step_lock;	/* one step at a time */
	unsigned steps;
	/* what it waits for; this and what follows under the lock of co->calls */
	struct fanout_state *flight;
	atomic_bool abandoned;
	struct call *prev, *next;
	struct { const struct member *m; uint32_t index; } *pins;	/* of call_pin */
	size_t npins, cap_pins;
	bool continues_list;			/* a list, in the indexes that it began in */
	atomic_size_t reply_bytes;		/* bytes that it has of co->gathered */
};

/* Those under way. */
struct call_list {
	pthread_mutex_t lock;
	struct call *first;
	char prefix[9];			/* of their ids: of this process alone */
	unsigned begun;			/* and how many there were before */
};

/* Whoever asked. */
struct call_client {
	/*
	 * Called once, perhaps before call_start returns, from any thread, with the result in `out` or
	 * the failure in `e` and `problem`; it then owns the call and frees it with call_free.
	 */
	void (*done)(struct call *);

	/*
	 * Called before that as the call gets on, one step at a time, from any thread; NULL: nobody
	 * wants to know.
	 */
	void (*step)(struct call *, unsigned steps, const char *what);

	void *ctx;			/* its own */
	const void *key;		/* whom call_abandon will name; NULL: nobody */
	const char *via;		/* how the question came, for the log: api, mcp, ... */
};

/*
 * Start a tool: decode and check `args` (JSON; NULL: none) and run it, on a worker unless it is
 * QUICK.  `caller` must live until it is done. One call too many of that caller is done at once,
 * RATE_LIMITED.
 */
void call_start(struct coordinator *, const struct tool *, const struct caller *, const char *args,
    const struct call_client *);

/* The call asks or changes these repositories: for the log. */
void call_audit_repos(struct call *, struct member *const *, size_t n);

/* The call has come a step further. */
void call_step(struct call *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Nobody waits for the answer any more: shards are told to stop, and the call fails as soon as
 * they have, UNAVAILABLE. A tool that writes goes on.  Any thread; nothing happens when `asker`
 * has no call.
 */
void call_abandon(struct coordinator *, const void *asker);

/* For fanout: what the call waits for, or NULL.  False: it was abandoned. */
bool call_wait(struct call *, struct fanout_state *);

/*
 * What the call reads of a member with several shards is of this index (members_index_id) from now
 * on, if any shard has it; fanout does so with what it hears.  Nothing for one with a single
 * shard.  call_pinned: that index, or 0.
 */
void call_pin(struct call *, const struct member *, uint32_t index);
uint32_t call_pinned(const struct call *, const struct member *);

/* For tools: the answer is ready (or `e` is set).  The call must not be touched afterwards. */
void call_end(struct call *);

void call_free(struct call *);

/* The answer as JSON: the result record, or {"error":{…}}. */
struct buf;
void call_json(const struct call *, struct buf *out);

/*
 * The answer as text for people and models, at most 10 KiB unless a range was asked for; see
 * call_text.c.
 */
void call_text(const struct call *, struct buf *out);
#endif

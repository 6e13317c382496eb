#ifndef COORDINATOR_CALLS_CALL_H
#define COORDINATOR_CALLS_CALL_H
/*
 * Tools: what the coordinator can do for a caller.  Each is a row of tools.def and a function.  A
 * call never blocks a thread while it waits for shards: a tool starts its fan-outs (fanout.h) and
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
struct partial_member;
struct coordinator_config;
struct registry;
struct repo_handle;

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

/* Whether MCP offers a tool.  `wanted` is --tools: default (NULL) | all | names with commas. */
bool tool_offered(const struct tool *, const char *wanted);

/*
 * "; did you mean `query`?" for a name that is not a tool that MCP offers (or no tool at all, with
 * `wanted` NULL); "" if no name is similar.  In `a`.
 */
const char *tool_suggest(const char *typed, const char *wanted, struct arena *a);

/* 0, or -1 with INVALID_INPUT if a name in `wanted` is not a tool that MCP can offer. */
int tool_check_offer(const char *wanted, struct err *);

/* One use of a tool, from its arguments to its answer.  Everything it points to lives in `a`. */
struct call {
	struct coordinator *co;
	struct members *members;	/* these three belong to `co` */
	struct registry *registry;
	const struct coordinator_config *o;
	const struct caller *caller;
	const struct tool *tool;
	struct arena *a;
	char req[20];			/* its id in logs and on the wire */
	/* identifies its caller, whose calls take turns with others'; 0 = the coordinator itself */
	uint64_t share;
	int64_t start_ms, deadline_ms;	/* monotonic */
	const void *in;			/* a tool->in record */
	void *out;			/* a tool->out record, zeroed at first; the tool fills it */
	struct err e;			/* if set, the call has failed */
	struct problem problem;		/* the failure; the tool sets `choices`, call_end the rest */
	void *state;			/* the tool's, between its steps */
	void (*on_end)(struct call *);	/* runs before the call ends, even after a failure; or NULL */
	void *on_end_arg;
	void (*done)(struct call *);	/* this and the next four: struct call_client */
	void (*step)(struct call *, unsigned steps, const char *what);
	void *ctx;
	const void *asker;
	const char *via;
	struct limits_permit turn;	/* its part of its caller's limit */
	struct admission_ticket pass;	/* of a question to many shards (fanout_enter) */
	void (*entered)(struct call *);	/* continues it once it is admitted */
	struct audit_repos touched;	/* guarded by the lock of co->calls */
	pthread_mutex_t step_lock;	/* one step at a time */
	unsigned steps;
	/* the fan-out in progress; this and the next three are guarded by the lock of co->calls */
	struct fanout_state *flight;
	atomic_bool abandoned;
	struct call *prev, *next;
	struct { const struct member *m; uint32_t index; } *pins;	/* of call_pin */
	size_t npins, cap_pins;
	struct partial_member *partial;	/* whose indexes may lack something (partial_answers.h) */
	struct repo_handle *handles;	/* of resolve_handle */
	bool continues_list;		/* it must read from the indexes that the list began with */
	atomic_size_t reply_bytes;	/* its part of co->reply_bytes */
};

/* The calls in progress. */
struct call_list {
	pthread_mutex_t lock;
	struct call *first;
	char prefix[9];			/* of their ids, unique to this process */
	unsigned begun;			/* number of calls so far, the rest of the id */
};

/* Where a call comes from. */
struct call_client {
	/*
	 * Called once, perhaps before call_start returns, from any thread, with the result in `out` or
	 * the failure in `e` and `problem`.  It owns the call and frees it with call_free.
	 */
	void (*done)(struct call *);

	/* Called before that for progress, one step at a time, from any thread; or NULL. */
	void (*step)(struct call *, unsigned steps, const char *what);

	void *ctx;			/* the client's */
	const void *key;		/* passed to call_abandon; NULL if the call is never abandoned */
	const char *via;		/* how the call came, for the log: api, mcp, ... */
};

/*
 * Start a tool: decode and check `args` (JSON; NULL if there are none) and run it, on a worker
 * unless it is QUICK.  `caller` must live until the call is done.  A call beyond the caller's limit
 * is done at once with RATE_LIMITED.
 */
void call_start(struct coordinator *, const struct tool *, const struct caller *, const char *args,
    const struct call_client *);

/* Note for the log that the call reads or changes these repositories. */
void call_audit_repos(struct call *, struct member *const *, size_t n);

/* Report a step of progress. */
void call_step(struct call *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Abandon the client's calls: shards are told to stop, and each call fails with UNAVAILABLE as soon
 * as they have.  Tools that write continue.  Any thread; does nothing if `asker` has no call.
 */
void call_abandon(struct coordinator *, const void *asker);

/* For fanout: set the fan-out in progress, or NULL.  Returns false if the call was abandoned. */
bool call_wait(struct call *, struct fanout_state *);

/*
 * From now on the call reads this index (members_index_id) of a member with several shards, if any
 * of them has it; fanout pins the index of each answer.  Does nothing for a member with a single
 * shard.  call_pinned returns that index, or 0.
 */
void call_pin(struct call *, const struct member *, uint32_t index);
uint32_t call_pinned(const struct call *, const struct member *);

/* For tools: the answer is ready, or `e` is set.  The call must not be used afterwards. */
void call_end(struct call *);

void call_free(struct call *);

/* The answer as JSON: the result record, or {"error":{…}}. */
struct buf;
void call_json(const struct call *, struct buf *out);

/* The answer as text for people and models, at most 10 KiB unless a range was requested. */
void call_text(const struct call *, struct buf *out);
#endif

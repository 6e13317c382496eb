#ifndef COORDINATOR_CALLS_ADMISSION_CONTROL_H
#define COORDINATOR_CALLS_ADMISSION_CONTROL_H
/*
 * How many shards work for questions at once.  Many questions to many shards that share what
 * processors there are would all end at their deadlines: so as many are let in as `most` shards
 * are asked by, and the others wait.  Who waits takes turns by caller, by the shards that were
 * asked for it (start-time fair queueing: P. Goyal, H. Vin, H. Cheng, 1996).  Questions to few
 * shards (an eighth of `most`) have room of their own, so they never wait for wide ones.  What
 * counts are shards that have not answered yet, one that hangs as one, and some for a question
 * until it leaves: for there is work to be done here as well.  Any thread; no clock of its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct admission;

/* A question's.  Zero-initialise; it must stay where it is until admission_leave. */
struct admission_ticket {
	uint64_t share;			/* of its caller */
	/*
	 * called once when it had to wait, without a lock, when it is let in or has waited for too
	 * long
	 */
	void (*then)(void *);
	void *arg;

	/* of admission_control.c */
	bool in;			/* false when `then` is called: it was not let in */
	bool wide;
	/* shards that it wants; of its room that which it has whoever answers */
	size_t cost, kept;
	size_t asked, room;		/* shards that work for it; the larger of both */
	uint64_t turn;			/* the lower the sooner */
	int64_t until_ms;
	struct admission_ticket *next;
};

/* `most` 0: nobody waits. */
struct admission *admission_new(size_t most);
void admission_free(struct admission *);	/* NULL is fine */

/* Of so many shards a question asks few. */
size_t admission_small_max(const struct admission *);

/*
 * Whether a question to `cost` shards may go on at once; if not, `then` follows, perhaps before
 * this returns.
 */
bool admission_enter(struct admission *, struct admission_ticket *, size_t cost, int64_t until_ms);

/*
 * The question asks `n` shards, in the room that is kept for it or beyond; one of them has
 * answered, or never will.
 */
void admission_ask(struct admission *, struct admission_ticket *, size_t n);
void admission_answered(struct admission *, struct admission_ticket *);

/*
 * It begins to ask all for the last time: as they answer, its room is given to others down to half
 * of what it needed.
 */
void admission_drain(struct admission *, struct admission_ticket *);

/*
 * It asks nobody any more: what was kept for it is free.  Nothing when it never entered, or has
 * left.
 */
void admission_leave(struct admission *, struct admission_ticket *);

/* Whoever waits until `now_ms` at most waits no more. */
void admission_expire(struct admission *, int64_t now_ms);

/* Let in all who wait, and whoever comes: there is nobody to be asked any more. */
void admission_close(struct admission *);

struct admission_usage {
	size_t used, waiting;		/* room that questions take, in shards; questions that wait */
};
struct admission_usage admission_usage_get(struct admission *);
#endif

#ifndef COORDINATOR_CALLS_ADMISSION_CONTROL_H
#define COORDINATOR_CALLS_ADMISSION_CONTROL_H
/*
 * Limits how many shards work for questions at once.  If too many questions went to many shards on
 * the same processors, all of them would miss their deadlines; so questions are admitted until
 * `max` shards are busy, and the others wait.  Waiting questions are served in turns by caller,
 * weighted by the shards that each caller has used (start-time fair queueing: P. Goyal, H. Vin, H.
 * Cheng, 1996).  Questions to few shards (up to an eighth of `max`) have room of their own, so they
 * never wait for wide ones.  A shard counts until it has answered, and a question keeps some room
 * until it leaves, because the coordinator has work to do as well.  Any thread; it has no clock.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct admission;

/* A question's place.  Zero-initialize it; it must not move until admission_leave. */
struct admission_ticket {
	uint64_t share;			/* identifies its caller */
	/* called once, without a lock, if it had to wait: when it is admitted or its time is over */
	void (*then)(void *);
	void *arg;

	/* private to admission_control.c */
	bool in;			/* it is admitted; false in `then` if its time is over */
	bool wide;
	size_t cost, kept;		/* shards that it asks for; room that it has even when they answer */
	size_t asked, room;		/* shards that work for it; the larger of `asked` and `kept` */
	uint64_t turn;			/* lower is sooner */
	int64_t until_ms;
	struct admission_ticket *next;
};

/* The maximum number of busy shards; 0 = unlimited. */
struct admission *admission_new(size_t max);
void admission_free(struct admission *);	/* NULL is fine */

/* The maximum number of shards of a question that is not wide. */
size_t admission_small_max(const struct admission *);

/*
 * Whether a question to `cost` shards is admitted at once.  If not, `then` is called later, perhaps
 * before this returns.
 */
bool admission_enter(struct admission *, struct admission_ticket *, size_t cost, int64_t until_ms);

/* The question asks `n` more shards; one of them has answered or failed. */
void admission_ask(struct admission *, struct admission_ticket *, size_t n);
void admission_answered(struct admission *, struct admission_ticket *);

/*
 * The question is about to ask all its shards for the last time: as they answer, half of the room
 * that it needed becomes free for others.
 */
void admission_drain(struct admission *, struct admission_ticket *);

/* The question will ask no more shards.  Does nothing if it was not admitted or has left. */
void admission_leave(struct admission *, struct admission_ticket *);

/* End the wait of questions whose time is over at `now_ms`. */
void admission_expire(struct admission *, int64_t now_ms);

/* Admit everyone from now on: there are no more shards to protect.  NULL is fine. */
void admission_close(struct admission *);

struct admission_usage {
	size_t used, waiting;		/* shards' worth of room in use; number of waiting questions */
};
struct admission_usage admission_usage_get(struct admission *);
#endif

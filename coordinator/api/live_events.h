#ifndef COORDINATOR_API_LIVE_EVENTS_H
#define COORDINATOR_API_LIVE_EVENTS_H
/*
 * GET /api/v1/events, the stream of changes for the page.  Every second the tool `live` is called
 * as the caller of the stream, and what has changed since the last call is sent; so an event
 * contains nothing that a call would not return.
 */

struct coordinator;
struct live_events;

struct live_events *live_events_new(struct coordinator *);

/*
 * Refuse new streams; open ones end at their next call.  Call before the timers are freed.  NULL is
 * fine.
 */
void live_events_stop(struct live_events *);

/* Call after the pool is freed, when every stream has ended.  NULL is fine. */
void live_events_free(struct live_events *);
#endif

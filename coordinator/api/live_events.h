#ifndef COORDINATOR_API_LIVE_EVENTS_H
#define COORDINATOR_API_LIVE_EVENTS_H
/*
 * Who is told what moves, for the page: GET /api/v1/events.  Every second the tool `live` is
 * called as whoever listens, and what has another text than the last time is sent: so an event
 * holds nothing that a call would not have told.
 */

struct coordinator;
struct live_events;

struct live_events *live_events_new(struct coordinator *);

/*
 * Streams end as soon as they are looked at; new ones are refused.  Before the alarms are freed.
 * NULL is fine.
 */
void live_events_stop(struct live_events *);

/* Every stream must have ended: after the pool is freed.  NULL is fine. */
void live_events_free(struct live_events *);
#endif

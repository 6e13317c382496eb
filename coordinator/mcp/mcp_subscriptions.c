/* Streams of notifications: of a session, or of subscriptions/listen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_resources.h"
#include "coordinator/mcp/mcp_session.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/net/crypto.h"

enum { LISTENERS_MAX = 256, URIS_MAX = 256, RETRY_MS = 1000 };

struct mcp_listener {
	struct mcp_listener *prev, *next;
	struct mcp *mcp;
	struct arena *a;
	const struct mcp_transport *carrier;
	void *ctx;
	const struct caller *caller;
	const char *id;			/* of the subscription, JSON; NULL = the stream of `session` */
	struct mcp_session *session;
	const uint64_t *after;		/* the last event of `session` that the client has, or NULL */
	struct limits *limits;
	struct limits_permit turn;	/* the caller's permit for a stream */
	bool wants[MCP_RESOURCE_UPDATED];	/* the lists it subscribed to */
	const char *const *uris;
	size_t nuris;
};

static const struct { const char *key, *method; } lists[] = {
	[MCP_TOOLS_CHANGED] = { "toolsListChanged", "notifications/tools/list_changed" },
	[MCP_PROMPTS_CHANGED] = { "promptsListChanged", "notifications/prompts/list_changed" },
	[MCP_RESOURCES_CHANGED] = { "resourcesListChanged", "notifications/resources/list_changed" },
};

struct mcp *mcp_new(const struct coordinator_config *o)
{
	struct mcp *m = xcalloc(1, sizeof *m);

	pthread_mutex_init(&m->lock, NULL);
	crypto_random_hex(m->key, 32);
	m->sessions_max = o->sessions;
	m->idle_ms = o->session_idle_s * 1000;
	return m;
}

void mcp_set_state_key(struct mcp *m, const char *key)
{
	pthread_mutex_lock(&m->lock);
	snprintf(m->key, sizeof m->key, "%s", key);
	pthread_mutex_unlock(&m->lock);
}

void mcp_free(struct mcp *m)
{
	if (!m)
		return;
	sessions_free(m);
	mcp_snapshot_free(m);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

/* ---- opening and closing ---- */

/* Call it with the lock held. */
static void unlink_listener(struct mcp_listener *l)
{
	if (l->prev)
		l->prev->next = l->next;
	else
		l->mcp->listeners = l->next;
	if (l->next)
		l->next->prev = l->prev;
	l->mcp->nlisteners--;
}

/* Close the stream; that of a request ends with its answer.  Call it with the lock held. */
static void end(struct mcp_listener *l)
{
	struct buf b = { 0 };

	unlink_listener(l);
	limits_release(l->limits, &l->turn);
	if (l->id)
		buf_printf(&b,
		    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\","
		    "\"_meta\":{\"" META "subscriptionId\":%s}}}",
		    l->id, l->id);
	l->carrier->done(l->ctx, 200, NULL, &b);
	buf_free(&b);
	arena_free(l->a);
}

static struct mcp_listener *find(const struct mcp *m, const struct mcp_session *s)
{
	struct mcp_listener *l = m->listeners;

	while (l && l->session != s)
		l = l->next;
	return l;
}

bool listener_of(const struct mcp *m, const struct mcp_session *s)
{
	return find(m, s);
}

void listener_end(struct mcp *m, const struct mcp_session *s)
{
	struct mcp_listener *l = find(m, s);

	if (l)
		end(l);
}

void mcp_reader_gone(struct mcp *m, const void *ctx)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	struct mcp_listener *l = m->listeners;
	while (l && l->ctx != ctx)
		l = l->next;
	if (l)
		end(l);
	streams_reader_gone(m, ctx);
	struct client_request *asked = sessions_take_requests(m, ctx);
	pthread_mutex_unlock(&m->lock);
	client_requests_fail(asked);
}

void mcp_stop(struct mcp *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	while (m->listeners)
		end(m->listeners);
	streams_end(m);
	pthread_mutex_unlock(&m->lock);
}

void mcp_end_caller(struct mcp *m, const struct caller *caller)
{
	if (!m)
		return;
	sessions_end_of_caller(m, caller);
	pthread_mutex_lock(&m->lock);
	for (struct mcp_listener *l = m->listeners, *next; l; l = next) {
		next = l->next;
		if (l->caller == caller)
			end(l);
	}
	pthread_mutex_unlock(&m->lock);
}

/* Get a permit for one more stream.  -1 with `e` and `retry_ms`.  Call it with the lock held. */
static int admit(struct mcp_listener *l, int64_t *retry_ms, struct err *e)
{
	struct refusal why = { 0 };

	if (l->mcp->nlisteners >= LISTENERS_MAX) {
		limits_count_refusal(l->limits, LIMITS_STREAMS);
		*retry_ms = RETRY_MS;
		err_set(e, ERR_RATE_LIMITED, "%d streams are open, which is the maximum", LISTENERS_MAX);
		return err_hint(e, "Retry in %d ms.", RETRY_MS);
	}
	int rc = limits_acquire(l->limits, l->caller, LIMITS_STREAM, clock_us(), &l->turn, &why, e);
	*retry_ms = rc ? why.retry_ms : 0;
	return rc;
}

/* Send the first events.  False if the reader is gone. */
static bool send_first(struct mcp_listener *l, const char *first)
{
	if (l->session)
		return session_open_stream(l->session, l->after, l->carrier, l->ctx);
	return l->carrier->event(l->ctx, NULL, first);
}

/* Add the listener and send its first message.  -1 if the caller may not open another stream. */
static int begin(struct mcp_listener *l, const char *first, int64_t *retry_ms, struct err *e)
{
	struct mcp *m = l->mcp;

	pthread_mutex_lock(&m->lock);
	if (l->session)		/* a session has one stream: a new one replaces it */
		listener_end(m, l->session);
	int rc = admit(l, retry_ms, e);
	if (!rc) {
		l->next = m->listeners;
		if (l->next)
			l->next->prev = l;
		m->listeners = l;
		m->nlisteners++;
		if (!send_first(l, first))
			end(l);
	}
	pthread_mutex_unlock(&m->lock);
	return rc;
}

static int no_session(struct err *e)
{
	err_set(e, ERR_NOT_FOUND, "the session does not exist or has expired");
	return err_hint(e, "Send `initialize` again.");
}

/* Send the events of a request's stream after `number`, then continue it. */
static int resume(struct mcp_session *s, uint64_t stream, uint64_t number,
    const struct mcp_transport *transport, void *ctx, struct err *e)
{
	int rc = stream_resume(s, stream, number, transport, ctx);

	session_unref(s);
	if (!rc)
		return 0;
	err_set(e, ERR_INVALID_INPUT, "Last-Event-ID names a stream that is not kept any more");
	return err_hint(e,
	    "Repeat the request; a GET without Last-Event-ID returns the notifications from now on.");
}

int mcp_open_stream(struct coordinator *co, const struct caller *caller, const char *id,
    const char *last, const struct mcp_transport *transport, void *ctx, int64_t *retry_ms,
    struct err *e)
{
	struct mcp_session *s = session_get(co->mcp, caller, id);
	uint64_t stream = 0, number = 0;

	if (!s)
		return no_session(e);
	if (last && (!stream_parse_event_id(last, &stream, &number) || stream))
		return resume(s, stream, number, transport, ctx, e);
	struct arena *a = arena_new();
	struct mcp_listener *l = arena_one(a, struct mcp_listener);
	*l = (struct mcp_listener){
		.mcp = co->mcp,
		.a = a,
		.carrier = transport,
		.ctx = ctx,
		.caller = caller,
		.session = s,
		.after = last ? &number : NULL,
		.limits = co->limits,
	};
	int rc = begin(l, NULL, retry_ms, e);
	session_unref(s);	/* the end of the session ends the listener too */
	if (rc)
		arena_free(a);
	return rc;
}

int mcp_end_session(
    struct coordinator *co, const struct caller *caller, const char *id, struct err *e)
{
	struct mcp_session *s = session_get(co->mcp, caller, id);

	if (!s)
		return no_session(e);
	const void *asker;
	while ((asker = session_cancel_next_request(s)))
		call_abandon(co, asker);
	session_end(s);
	session_unref(s);
	return 0;
}

/* ---- subscriptions/listen ---- */

/*
 * Add the resources that are requested and visible, and acknowledge them.  An invisible one is not
 * acknowledged and gets no notifications.  0, or -1 after refusing the request.
 */
static int add_uris(struct mcp_request *t, struct mcp_listener *l, struct buf *ack)
{
	const char *list = json_member(t->p.notifications, "resourceSubscriptions", t->a);
	const char **uris = arena_many(l->a, URIS_MAX, const char *), *item;

	l->uris = uris;
	if (!list || json_is(list) != JSON_IS_ARRAY)
		return 0;
	for (size_t i = 0; (item = json_item(list, i, t->a)); i++) {
		const char *uri = json_text(item, t->a);
		if (!uri)
			return mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "`resourceSubscriptions` contains something other than a string");
		if (l->nuris == URIS_MAX)
			return mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "`resourceSubscriptions` has more than %d elements", URIS_MAX);
		if (!resource_visible(t, uri))
			continue;
		uris[l->nuris++] = arena_str(l->a, uri);
		buf_str(ack, l->nuris > 1 ? "," : ",\"resourceSubscriptions\":[");
		json_quote(ack, uri);
	}
	if (l->nuris)
		buf_byte(ack, ']');
	return 0;
}

/* Whether the client subscribes to a list that may change. */
static bool wants_list(struct mcp_request *t, enum mcp_change news)
{
	const char *value = json_member(t->p.notifications, lists[news].key, t->a);

	return value && !strcmp(value, "true") && mcp_may_notify(t, news);
}

/* Read the subscription, and append what is granted as the members of an object. */
static int read_subscription(struct mcp_request *t, struct mcp_listener *l, struct buf *ack)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < LEN(lists); i++) {
		l->wants[i] = wants_list(t, (enum mcp_change)i);
		if (l->wants[i])
			buf_printf(&b, ",\"%s\":true", lists[i].key);
	}
	int rc = add_uris(t, l, &b);
	if (b.n)
		buf_put(ack, b.p + 1, b.n - 1);
	buf_free(&b);
	return rc;
}

/* Open the stream of an admitted subscriptions/listen, which is the request's answer. */
static void open_subscription(struct mcp_request *t)
{
	struct arena *a = arena_new();
	struct mcp_listener *l = arena_one(a, struct mcp_listener);
	struct buf ack = { 0 };
	struct err e = { 0 };
	int64_t retry_ms;

	*l = (struct mcp_listener){
		.mcp = t->co->mcp,
		.limits = t->co->limits,
		.a = a,
		.carrier = t->carrier,
		.ctx = t->ctx,
		.caller = t->caller,
		.id = arena_str(a, t->id),
	};
	buf_printf(&ack,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
	    "\"params\":{\"_meta\":{\"" META "subscriptionId\":%s},\"notifications\":{",
	    t->id);
	if (read_subscription(t, l, &ack)) {
		arena_free(a);
		buf_free(&ack);
		return;
	}
	buf_str(&ack, "}}}");
	if (begin(l, ack.p, &retry_ms, &e)) {
		arena_free(a);
		mcp_request_retry_later(t, err_http(e.code), &e, retry_ms);
	} else {
		mcp_request_release(t);
		arena_free(t->a);
	}
	buf_free(&ack);
}

void mcp_listen(struct mcp_request *t)
{
	if (mcp_request_admit(t))
		return;
	if (!t->co->mcp || !t->p.notifications || *t->p.notifications != '{') {
		mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`params.notifications` is missing or not an object");
		return;
	}
	open_subscription(t);
}

/* ---- notifications ---- */

static bool concerns(const struct mcp_listener *l, enum mcp_change news, const char *uri)
{
	if (news != MCP_RESOURCE_UPDATED)
		return l->wants[news];
	for (size_t i = 0; i < l->nuris; i++)
		if (!strcmp(l->uris[i], uri))
			return true;
	return false;
}

static const char *message(
    const struct mcp_listener *l, enum mcp_change news, const char *uri, struct buf *b)
{
	bool updated = news == MCP_RESOURCE_UPDATED;
	const char *method = updated ? "notifications/resources/updated" : lists[news].method;

	buf_printf(b, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{", method);
	if (updated) {
		buf_str(b, "\"uri\":");
		json_quote(b, uri);
	}
	if (l->id)
		buf_printf(b, "%s\"_meta\":{\"" META "subscriptionId\":%s}", updated ? "," : "", l->id);
	buf_str(b, "}}");
	return b->p;
}

static bool may_notify(const struct caller *c, const struct mcp_audience *to)
{
	if (!to || c->everything)
		return true;
	for (size_t i = 0; i < to->nrepos; i++)
		if (caller_sees(c, to->repos[i]))
			return true;
	return false;
}

/* Whether the session subscribed to the resource, if it is one, and its caller may see it. */
static bool concerns_session(const struct mcp_session *s, enum mcp_change news, const char *uri,
    const struct mcp_audience *to)
{
	if (news == MCP_RESOURCE_UPDATED && !session_subscribed(s, uri))
		return false;
	return may_notify(session_caller(s), to);
}

/* Log the event for every session, since one without a stream at the moment may resume it. */
static void notify_sessions(
    struct mcp *m, enum mcp_change news, const char *uri, const struct mcp_audience *to)
{
	struct mcp_session *s = NULL;
	struct buf b = { 0 };
	char id[32];

	message(&(struct mcp_listener){ 0 }, news, uri, &b);
	while ((s = session_next_listening(m, s))) {
		if (!concerns_session(s, news, uri, to))
			continue;
		struct mcp_listener *l = find(m, s);
		snprintf(id, sizeof id, "0-%llu", (unsigned long long)session_log_event(s, b.p));
		if (l && !l->carrier->event(l->ctx, id, b.p))
			end(l);
	}
	buf_free(&b);
}

void mcp_notify(struct mcp *m, enum mcp_change news, const char *uri, const struct mcp_audience *to)
{
	pthread_mutex_lock(&m->lock);
	notify_sessions(m, news, uri, to);
	for (struct mcp_listener *l = m->listeners, *next; l; l = next) {
		struct buf b = { 0 };
		next = l->next;
		if (l->session || !concerns(l, news, uri) || !may_notify(l->caller, to))
			continue;
		if (!l->carrier->event(l->ctx, NULL, message(l, news, uri, &b)))
			end(l);
		buf_free(&b);
	}
	pthread_mutex_unlock(&m->lock);
}

#include "coordinator/mcp/mcp_input_requests.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_session.h"
#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/net/crypto.h"

enum { STATE_S = 600 };		/* validity of a state: the time that a user may take to answer */

const char *input_round_answer(const struct input_round *r, const char *key)
{
	const char *raw = NULL;

	if (r->answers && json_is(r->answers) == JSON_IS_OBJECT)
		raw = json_member(r->answers, key, r->t->a);
	if (raw && json_is(raw) == JSON_IS_OBJECT)
		return raw;
	return NULL;
}

void input_round_ask(struct input_round *r, const char *key, const char *method, const char *params)
{
	if (r->nasks == ASKS_MAX)
		die("a round of input asks more than ASKS_MAX questions");
	r->asks[r->nasks].key = key;
	r->asks[r->nasks].method = method;
	r->asks[r->nasks++].params = params;
}

/* ---- states ---- */

/* The MAC covers the caller and the request, so that a state is valid only for those. */
static void sign_state(const struct input_round *r, const char *payload, char out[SHA256_HEX])
{
	struct mcp_request *t = r->t;
	const char *text = arena_printf(
	    t->a, "%s\n%s\n%s\n%s\n%s", payload, t->caller->name, t->method, r->name, r->args);
	char key[65];

	pthread_mutex_lock(&t->co->mcp->lock);
	memcpy(key, t->co->mcp->key, sizeof key);
	pthread_mutex_unlock(&t->co->mcp->lock);
	crypto_hmac(key, text, strlen(text), out);
}

/* `time.state.mac`; the state is in base64. */
static const char *write_state(const struct input_round *r)
{
	struct buf b = { 0 };
	char mac[SHA256_HEX];

	buf_printf(&b, "%lld.", (long long)time(NULL));
	buf_base64(&b, r->next_state, strlen(r->next_state));
	sign_state(r, b.p, mac);
	const char *state = arena_printf(r->t->a, "%s.%s", b.p, mac);
	buf_free(&b);
	return state;
}

/* Restore the state.  0, or -1 if it is not ours or too old. */
static int read_state(struct input_round *r, const char *token)
{
	const char *mac = strrchr(token, '.'), *middle = strchr(token, '.');
	char expected[SHA256_HEX];
	struct buf b = { 0 };

	if (!mac || middle == mac)
		return -1;
	const char *payload = arena_strn(r->t->a, token, (size_t)(mac - token));
	sign_state(r, payload, expected);
	if (!crypto_equal_strings(mac + 1, expected) || time(NULL) - atoll(payload) > STATE_S)
		return -1;
	if (buf_unbase64(&b, middle + 1, (size_t)(mac - middle - 1)))
		return -1;
	buf_str(&b, "");
	r->state = arena_strn(r->t->a, b.p, b.n);
	buf_free(&b);
	return 0;
}

/* ---- 2026-07-28 ---- */

/* Whether the client has the capability that the method needs. */
static bool can_be_asked(const struct mcp_request *t, const char *method)
{
	static const struct {
		const char *method;
		unsigned can;
	} wants[] = {
		{ "sampling/createMessage", CAN_SAMPLE },
		{ "elicitation/create", CAN_ELICIT },
		{ "roots/list", CAN_ROOTS },
	};

	for (size_t i = 0; i < LEN(wants); i++)
		if (!strcmp(wants[i].method, method))
			return t->can & wants[i].can;
	return false;
}

static void require_input(struct input_round *r)
{
	struct mcp_request *t = r->t;
	struct buf b = { 0 };
	const char *sep = "";

	mcp_result_open_input(t, &b);
	buf_str(&b, "\"inputRequests\":{");
	for (size_t i = 0; i < r->nasks; i++) {
		if (!can_be_asked(t, r->asks[i].method))
			continue;
		buf_printf(&b, "%s\"%s\":{\"method\":\"%s\",\"params\":%s}", sep, r->asks[i].key,
		    r->asks[i].method, r->asks[i].params);
		sep = ",";
	}
	buf_byte(&b, '}');
	if (r->next_state) {
		buf_str(&b, ",\"requestState\":");
		json_quote(&b, write_state(r));
	}
	mcp_result_send(t, &b);
}

/* ---- the handshake revisions ---- */

/* A round that waits for the client's answers. */
struct input_wait {
	struct input_round *r;
	void (*handler)(struct input_round *);
	atomic_size_t left;
	struct input_slot {
		struct input_wait *w;
		char *result;		/* JSON, or NULL if the client did not answer */
	} slots[ASKS_MAX];
};

static void run_round(struct input_round *, void (*handler)(struct input_round *));

/* All answers have arrived: run the next round with them. */
static void next_round(struct input_wait *w)
{
	struct input_round *r = w->r;
	struct buf b = { 0 };
	bool all = true;

	for (size_t i = 0; i < r->nasks; i++) {
		const char *result = w->slots[i].result;
		if (!result) {
			all = false;
			result = "null";
		}
		buf_printf(&b, "%s\"%s\":%s", i ? "," : "{", r->asks[i].key, result);
		free(w->slots[i].result);
	}
	buf_byte(&b, '}');
	r->answers = arena_str(r->t->a, b.p);
	buf_free(&b);
	r->state = r->next_state;
	r->next_state = NULL;
	r->nasks = 0;
	if (all)
		run_round(r, w->handler);
	else
		mcp_request_fail(r->t, 200, INTERNAL, NULL, "the client did not answer the questions");
}

static void answered(void *arg, const char *result)
{
	struct input_slot *s = arg;

	s->result = NULL;
	if (result)
		s->result = xstrdup(result);
	if (atomic_fetch_sub(&s->w->left, 1) == 1)
		next_round(s->w);
}

/* Check that the client can be asked all questions.  0, or -1 after refusing the request. */
static int check_client(const struct input_round *r)
{
	struct mcp_request *t = r->t;

	for (size_t i = 0; i < r->nasks; i++) {
		if (!t->session)
			return mcp_request_fail(t, 200, INVALID_REQUEST, NULL,
			    "%s needs a session: send the Mcp-Session-Id that initialize returned",
			    r->asks[i].method);
		if (!can_be_asked(t, r->asks[i].method))
			return mcp_request_fail(t, 200, INVALID_REQUEST, NULL,
			    "the client did not declare the capability for %s", r->asks[i].method);
	}
	return 0;
}

static void ask_client(struct input_round *r, void (*handler)(struct input_round *))
{
	struct mcp_request *t = r->t;
	struct input_wait *w = arena_one(t->a, struct input_wait);
	struct buf b = { 0 };

	if (check_client(r))
		return;
	w->r = r;
	w->handler = handler;
	atomic_init(&w->left, r->nasks + 1);	/* this loop counts as one */
	for (size_t i = 0; i < r->nasks; i++) {
		w->slots[i].w = w;
		int id = session_ask_client(t->session, t->ctx, answered, &w->slots[i]);
		b.n = 0;
		buf_printf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}", id,
		    r->asks[i].method, r->asks[i].params);
		t->carrier->event(t->ctx, NULL, b.p);
	}
	buf_free(&b);
	if (atomic_fetch_sub(&w->left, 1) == 1)
		next_round(w);
}

/* ---- both ---- */

static void run_round(struct input_round *r, void (*handler)(struct input_round *))
{
	struct mcp_request *t = r->t;
	struct buf b = { 0 };

	handler(r);
	if (!r->nasks) {
		mcp_result_open(t, &b);
		buf_put(&b, r->members.p, r->members.n);
		buf_free(&r->members);
		mcp_result_send(t, &b);
	} else if (t->modern) {
		require_input(r);
	} else {
		ask_client(r, handler);
	}
}

void input_rounds_run(struct mcp_request *t, const char *name, const char *args,
    void (*handler)(struct input_round *))
{
	struct input_round *r = arena_one(t->a, struct input_round);
	const char *state = NULL;

	if (t->p.requestState)
		state = json_text(t->p.requestState, t->a);
	*r = (struct input_round){ .t = t, .name = name, .args = args };
	if (t->modern)
		r->answers = t->p.inputResponses;
	if (r->answers && json_is(r->answers) != JSON_IS_OBJECT)
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL, "`inputResponses` is not an object");
	else if (t->modern && t->p.requestState && (!state || read_state(r, state)))
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
		    "`requestState` was not returned for this request, or is too old; repeat the request"
		    " without it");
	else
		run_round(r, handler);
}

#ifndef TESTS_TOOL_CALLS_H
#define TESTS_TOOL_CALLS_H
/* Calls tools of a coordinator in the test's process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/call.h"
#include "coordinator/coordinator.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/record/codec.h"
#include "proto/record/json.h"
#include "proto/wire/wire.h"

enum { BUSY_MS = 60000 };	/* time limit for everything, as the machine may be busy */

static struct coordinator *co;
static struct arena *a;
static char dir[64];

struct pending_call {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct call *c;
};

static inline void on_done(struct call *c)
{
	struct pending_call *w = c->ctx;

	pthread_mutex_lock(&w->lock);
	w->c = c;
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->lock);
}

/* Start a call; ask_end() waits for the answer. */
static inline void ask_begin(struct pending_call *w, const struct caller *caller, const char *tool, const char *args)
{
	*w = (struct pending_call){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
	assert_non_null(tool_get(tool));
	call_start(co, tool_get(tool), caller, args, &(struct call_client){ .done = on_done, .ctx = w, .key = w });
}

static inline const char *ask_end(struct pending_call *w)
{
	struct buf b = { 0 };

	pthread_mutex_lock(&w->lock);
	while (!w->c)
		pthread_cond_wait(&w->cond, &w->lock);
	pthread_mutex_unlock(&w->lock);
	call_json(w->c, &b);
	call_free(w->c);
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

/* Call a tool and abandon the call after `timeout_ms` (0 = never). */
static inline const char *ask_with_timeout(const struct caller *caller, const char *tool, const char *args, int timeout_ms)
{
	struct pending_call w;

	ask_begin(&w, caller, tool, args);
	if (timeout_ms) {
		clock_sleep(timeout_ms);
		call_abandon(co, &w);
	}
	return ask_end(&w);
}

static inline const char *ask_as(const struct caller *caller, const char *tool, const char *args)
{
	return ask_with_timeout(caller, tool, args, 0);
}

static inline const char *ask(const char *tool, const char *args)
{
	return ask_as(&caller_local, tool, args);
}

/* Call until the answer contains the text (or, if !`has`, no longer does).  Returns the last answer. */
static inline const char *ask_until(const struct caller *caller, const char *tool, const char *args, const char *text, bool has)
{
	const char *s = ask_as(caller, tool, args);

	for (int64_t end = clock_ms() + BUSY_MS; !strstr(s, text) == has && clock_ms() < end; s = ask_as(caller, tool, args))
		clock_sleep(20);
	return s;
}

/* The member `key` of an answer, as JSON. */
static inline const char *get(const char *json, const char *key)
{
	const char *s = json_member(json, key, a);

	return s ? s : "";
}

static inline const char *error_code(const char *answer)
{
	const char *s = json_text(get(get(answer, "error"), "code"), a);

	return s ? s : "none";
}

static inline void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("`%s` is not in: %.2000s", part, text);
}

static inline void wait_health(const char *uri, const char *want)
{
	for (int64_t end = clock_ms() + BUSY_MS; clock_ms() < end; clock_sleep(50)) {
		const char *s = ask("list_repos", "{\"limit\":200}");
		const char *at = strstr(s, arena_printf(a, "\"repo_uri\":\"%s\"", uri));
		const char *health = at ? strstr(at, "\"health\":\"") : NULL;
		if (health && !strncmp(health + 10, want, strlen(want)))
			return;
	}
	fail_msg("%s did not become %s", uri, want);
}

static inline bool is_listed(const char *text)
{
	return strstr(ask_until(&caller_local, "list_repos", NULL, text, true), text);
}

static inline void is_no_longer_listed(const char *text)
{
	assert_null(strstr(ask_until(&caller_local, "list_repos", "{\"limit\":200}", text, false), text));
}
#endif

#include "coordinator/calls/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/path_privacy.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
#include "proto/process/suggest.h"
#include "proto/record/json.h"

enum {
	DEADLINE_MS = 60000,		/* of a whole call; each fan-out has its own, shorter one */
	RETRY_MS = 1000			/* the client's pause if it is not known when there is room again */
};

const struct tool *tool_get(const char *name)
{
	for (const struct tool *t = tools; name && t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

/* ---- what MCP offers ---- */

/* The next name in a list and its length; NULL at the end. */
static const char *next_name(const char *list, size_t *n)
{
	list += strspn(list, ", ");
	*n = strcspn(list, ", ");
	if (!*n)
		return NULL;
	return list;
}

static bool is_default(const char *wanted)
{
	return !wanted || !*wanted || !strcmp(wanted, "default");
}

static bool contains_name(const char *list, const char *name)
{
	size_t n;
	const char *s = next_name(list, &n);

	while (s) {
		if (n == strlen(name) && !strncmp(s, name, n))
			return true;
		s = next_name(s + n, &n);
	}
	return false;
}

bool tool_offered(const struct tool *t, const char *wanted)
{
	if (t->where == ADMIN)
		return false;
	if (is_default(wanted))
		return t->where == MCP;
	return !strcmp(wanted, "all") || contains_name(wanted, t->name);
}

const char *tool_suggest(const char *typed, const char *wanted, struct arena *a)
{
	const char *names[METRICS_TOOLS];
	size_t n = 0;

	for (const struct tool *t = tools; t->name; t++)
		if (!wanted || tool_offered(t, wanted))
			names[n++] = t->name;
	return suggest_phrase(suggest_names(typed, names, n, a), a);
}

int tool_check_offer(const char *wanted, struct err *e)
{
	size_t n;

	if (is_default(wanted) || !strcmp(wanted, "all"))
		return 0;
	for (const char *s = next_name(wanted, &n); s; s = next_name(s + n, &n)) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)n, s);
		const struct tool *t = tool_get(name);
		if (!t || t->where == ADMIN)
			return err_set(e, ERR_INVALID_INPUT,
			    "--tools: `%s` is no tool; default, all, or names separated by commas", name);
	}
	return 0;
}

/* ---- calls in progress ---- */

static void calls_add(struct call *c)
{
	struct call_list *all = &c->co->calls;

	pthread_mutex_lock(&all->lock);
	snprintf(c->req, sizeof c->req, "%s%08x", all->prefix, all->begun++);
	c->next = all->first;
	if (c->next)
		c->next->prev = c;
	all->first = c;
	pthread_mutex_unlock(&all->lock);
}

static void calls_remove(struct call *c)
{
	struct call_list *all = &c->co->calls;

	pthread_mutex_lock(&all->lock);
	if (c->prev)
		c->prev->next = c->next;
	else
		all->first = c->next;
	if (c->next)
		c->next->prev = c->prev;
	pthread_mutex_unlock(&all->lock);
}

bool call_wait(struct call *c, struct fanout_state *f)
{
	pthread_mutex_lock(&c->co->calls.lock);
	c->flight = f;
	bool wanted = !c->abandoned;
	pthread_mutex_unlock(&c->co->calls.lock);
	return wanted;
}

static bool can_abandon(const struct call *c, const void *asker)
{
	return c->asker == asker && !c->abandoned && !(c->tool->hints & WRITES);
}

void call_abandon(struct coordinator *co, const void *asker)
{
	if (!asker)
		return;
	pthread_mutex_lock(&co->calls.lock);
	for (struct call *c = co->calls.first; c; c = c->next) {
		if (!can_abandon(c, asker))
			continue;
		c->abandoned = true;
		if (c->flight)
			fanout_cancel(c->flight);
		log_debug("call.abandoned", "tool=%s caller=%s", c->tool->name, c->caller->name);
	}
	pthread_mutex_unlock(&co->calls.lock);
}

uint32_t call_pinned(const struct call *c, const struct member *m)
{
	for (size_t i = 0; i < c->npins; i++)
		if (c->pins[i].m == m)
			return c->pins[i].index;
	return 0;
}

void call_pin(struct call *c, const struct member *m, uint32_t index)
{
	size_t i = 0;

	if (!members_has_replicas(c->members, m))
		return;
	while (i < c->npins && c->pins[i].m != m)
		i++;
	c->pins = grow(c->pins, &c->cap_pins, i + 1, sizeof *c->pins);
	c->pins[i].m = m;
	c->pins[i].index = index;
	if (i == c->npins)
		c->npins++;
}

void call_audit_repos(struct call *c, struct member *const *m, size_t n)
{
	pthread_mutex_lock(&c->co->calls.lock);
	audit_add_repos(&c->touched, m, n);
	pthread_mutex_unlock(&c->co->calls.lock);
}

/* ---- the life of a call ---- */

/* What call_start passes to the worker. */
struct call_start_args {
	struct call *c;
	const char *args;
};

/* 0, or -1 with FORBIDDEN if the caller lacks the rights that the tool needs. */
static int caller_may(const struct caller *c, const struct tool *t, struct err *e)
{
	if ((t->hints & WRITES) && c->read_only) {
		err_set(e, ERR_FORBIDDEN, "%s needs a token that may write, and `%.64s` is read-only",
		    t->name, c->name);
		return err_hint(
		    e, "Use a token created without --read-only: `atoll token create --name NAME`.");
	}
	if ((t->hints & GOVERNS) && !c->everything) {
		err_set(e, ERR_FORBIDDEN, "%s needs a token without limits, and `%.64s` is limited",
		    t->name, c->name);
		return err_hint(e,
		    "Use a token created without --group, --repo and --visibility:"
		    " `atoll token create --name NAME`.");
	}
	return 0;
}

/* Whether the answer would be useless, so that the call is not run. */
static bool is_too_late(struct call *c)
{
	const char *why = NULL;

	if (c->abandoned)
		why = "the client has gone";
	else if (clock_ms() > c->deadline_ms)
		why = "its deadline passed while it waited";
	if (!why)
		return false;
	limits_count_refusal(c->co->limits, LIMITS_SHED);
	err_set(&c->e, ERR_UNAVAILABLE, "%s", why);
	return true;
}

static void begin(void *arg)
{
	struct call_start_args *s = arg;
	struct call *c = s->c;

	if (is_too_late(c)) {
		call_end(c);
		return;
	}
	void *in = arena_get(c->a, 1, c->tool->in->size);
	c->in = in;
	if (caller_may(c->caller, c->tool, &c->e)) {
		call_end(c);
	} else if (json_get(c->tool->in, in, s->args, c->a, &c->e)) {
		err_hint(&c->e, "`atoll call %s --help` lists the arguments.", c->tool->name);
		call_end(c);
	} else {
		c->tool->run(c);
	}
}

void call_step(struct call *c, const char *fmt, ...)
{
	char what[200];
	va_list ap;

	if (!c->step)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&c->step_lock);
	c->step(c, ++c->steps, what);
	pthread_mutex_unlock(&c->step_lock);
}

static void describe(struct call *c)
{
	struct problem *p = &c->problem;

	p->code = err_name(c->e.code);
	p->message = c->e.msg;
	p->hint = c->e.hint;
	if (c->e.code == ERR_RATE_LIMITED && !p->retry_after_ms)
		p->retry_after_ms = c->e.retry_after_ms ? (uint64_t)c->e.retry_after_ms : RETRY_MS;
	if (c->e.code != ERR_AMBIGUOUS_REPO)
		return;
	p->error_code = p->code;
	p->jsonrpc_code = -32602;
}

/* Write the audit line.  It omits the message, which may quote arguments. */
static void audit_call(const struct call *c, uint64_t n)
{
	const char *outcome = "ok";
	enum log_level level = LOG_INFO;

	if (c->e.code)
		outcome = err_name(c->e.code);
	else if (c->tool->hints & POLLED)
		level = LOG_DEBUG;
	audit(level, c->caller, text_or(c->via, "-"), c->tool->name, &c->touched, outcome,
	    clock_ms() - c->start_ms, n);
}

/* End a call beyond its caller's limit with as little work as possible. */
static void refuse_over_limit(struct call *c, const struct refusal *why)
{
	atomic_fetch_add(&c->co->requests, 1);
	atomic_fetch_add(&c->co->failures, 1);
	c->problem.retry_after_ms = (uint64_t)why->retry_ms;
	describe(c);
	if (why->n)
		audit_call(c, why->n);
	c->done(c);
}

/* FNV-1a of the caller's name, so that shards do not see the name; 0 for the coordinator itself. */
static uint64_t caller_hash(const struct caller *caller)
{
	uint64_t h = 14695981039346656037u;

	if (caller == &caller_self)
		return 0;
	for (const char *s = caller->name; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	if (!h)
		return 1;
	return h;
}

static struct call *call_new(struct coordinator *co, const struct tool *tool,
    const struct caller *caller, const struct call_client *asker)
{
	struct arena *a = arena_new();
	struct call *c = arena_one(a, struct call);

	c->co = co;
	c->members = co->members;
	c->registry = co->registry;
	c->o = &co->o;
	c->caller = caller;
	c->share = caller_hash(caller);
	c->tool = tool;
	c->a = a;
	c->start_ms = clock_ms();
	c->deadline_ms = c->start_ms + DEADLINE_MS;
	c->done = asker->done;
	c->step = asker->step;
	c->ctx = asker->ctx;
	c->asker = asker->key;
	c->via = asker->via;
	pthread_mutex_init(&c->step_lock, NULL);
	return c;
}

void call_start(struct coordinator *co, const struct tool *tool, const struct caller *caller,
    const char *args, const struct call_client *asker)
{
	struct call *c = call_new(co, tool, caller, asker);
	struct refusal refusal;

	if (limits_acquire(co->limits, caller, LIMITS_CALL, clock_us(), &c->turn, &refusal, &c->e)) {
		refuse_over_limit(c, &refusal);
		return;
	}
	struct call_start_args *s = arena_one(c->a, struct call_start_args);
	c->out = arena_get(c->a, 1, tool->out->size);
	partial_begin(c);
	calls_add(c);
	*s = (struct call_start_args){ c, arena_str(c->a, args) };
	if (tool->hints & QUICK) {
		begin(s);
	} else if (pool_run_for(co->pool, c->share, begin, s)) {
		limits_count_refusal(co->limits, LIMITS_QUEUE);
		err_set(&c->e, ERR_RATE_LIMITED, "too many requests are waiting");
		call_end(c);
	}
}

/*
 * Redact paths of machines that the caller may not see.  Errors that are the caller's fault only
 * name its own arguments.
 */
static void hide_places(struct call *c)
{
	if (paths_visible(c->caller))
		return;
	if (!c->e.code)
		paths_redact_record(c->tool->out, c->out, c->a);
	else if (err_http(c->e.code) >= 500)
		paths_redact_record(&rec_problem, &c->problem, c->a);
}

void call_end(struct call *c)
{
	if (c->on_end)
		c->on_end(c);
	partial_end(c);
	calls_remove(c);
	admission_leave(c->co->admission, &c->pass);
	limits_release(c->co->limits, &c->turn);
	log_set_request(c->req);
	atomic_fetch_add(&c->co->requests, 1);
	if (c->e.code) {
		/* errors that are the server's fault name no arguments, so they may be logged */
		enum log_level level = LOG_DEBUG;
		if (err_http(c->e.code) == 500)
			level = LOG_WARN;
		atomic_fetch_add(&c->co->failures, 1);
		describe(c);
		log_at(level, "call.failed", "message=%s", log_quote(c->e.msg));
	}
	hide_places(c);
	audit_call(c, 1);
	log_set_request(NULL);
	c->done(c);
}

void call_free(struct call *c)
{
	if (!c)
		return;
	pthread_mutex_destroy(&c->step_lock);
	atomic_fetch_sub(&c->co->reply_bytes, c->reply_bytes);
	free(c->pins);
	arena_free(c->a);
}

void call_json(const struct call *c, struct buf *out)
{
	struct problem p = c->problem;
	struct problem_answer answer = { &p };

	if (c->e.code)
		json_put(&rec_problem_answer, &answer, out);
	else
		json_put(c->tool->out, c->out, out);
}

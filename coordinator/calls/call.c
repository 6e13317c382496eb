#include "coordinator/calls/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/path_privacy.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/thread_pool.h"
#include "proto/process/suggest.h"
#include "proto/record/json.h"

enum {
	DEADLINE_MS = 60000,		/* of a whole call; each fan-out has its own, shorter one */
	RETRY_MS = 1000			/* when it is not known how long too much will be too much */
};

const struct tool *tool_get(const char *name)
{
	for (const struct tool *t = tools; name && t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

/* ---- what MCP offers ---- */

/* The next name of a list, and its length; NULL at the end. */
static const char *next_name(const char *list, size_t *n)
{
	list += strspn(list, ", ");
	*n = strcspn(list, ", ");
	return *n ? list : NULL;
}

static bool is_default(const char *wanted)
{
	return !wanted || !*wanted || !strcmp(wanted, "default");
}

bool tool_offered(const struct tool *t, const char *wanted)
{
	size_t n;

	if (t->where == ADMIN)
		return false;
	if (is_default(wanted))
		return t->where == MCP;
	if (!strcmp(wanted, "all"))
		return true;
	for (const char *s = wanted; (s = next_name(s, &n)); s += n)
		if (n == strlen(t->name) && !strncmp(s, t->name, n))
			return true;
	return false;
}

const char *tool_suggest(const char *typed, const char *wanted, struct arena *a)
{
	const char *names[METRICS_TOOLS];
	size_t n = 0;

	for (const struct tool *t = tools; t->name; t++)
		if (!wanted || tool_offered(t, wanted))
			names[n++] = t->name;
	const char *near = suggest_names(typed, names, n, a);
	if (*near)
		return arena_printf(a, "; near it: %s", near);
	return "";
}

int tool_check_offer(const char *wanted, struct err *e)
{
	char name[64];
	size_t n;

	if (is_default(wanted) || !strcmp(wanted, "all"))
		return 0;
	for (const char *s = wanted; (s = next_name(s, &n)); s += n) {
		snprintf(name, sizeof name, "%.*s", (int)n, s);
		const struct tool *t = tool_get(name);
		if (!t || t->where == ADMIN)
			return err_set(e, ERR_INVALID_INPUT,
			    "--tools: `%s` is no tool; default, all, or names separated by"
			    " commas",
			    name);
	}
	return 0;
}

/* ---- calls under way ---- */

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

void call_abandon(struct coordinator *co, const void *asker)
{
	pthread_mutex_lock(&co->calls.lock);
	for (struct call *c = co->calls.first; c; c = c->next)
		if (asker && c->asker == asker && !c->abandoned && !(c->tool->hints & WRITES)) {
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
	c->npins += i == c->npins;
}

void call_audit_repos(struct call *c, struct member *const *m, size_t n)
{
	pthread_mutex_lock(&c->co->calls.lock);
	audit_add_repos(&c->touched, m, n);
	pthread_mutex_unlock(&c->co->calls.lock);
}

/* ---- the life of a call ---- */

/* Arguments between call_start and the worker. */
struct call_start_args {
	struct call *c;
	const char *args;
};

/* FORBIDDEN: the tool changes something and the caller may not. */
static int caller_may(const struct caller *c, const struct tool *t, struct err *e)
{
	if ((t->hints & WRITES) && c->read_only) {
		err_set(e, ERR_FORBIDDEN, "%s changes something, and the token `%.64s` may only read",
		    t->name, c->name);
		return err_hint(
		    e, "Use a token made without --read-only: `atoll token create --name NAME`.");
	}
	if ((t->hints & GOVERNS) && !c->everything) {
		err_set(e, ERR_FORBIDDEN, "%s is for tokens without limits, and `%.64s` is limited",
		    t->name, c->name);
		return err_hint(e,
		    "Use a token made without --group, --repo and --visibility: `atoll token create --name NAME`.");
	}
	return 0;
}

static void begin(void *arg)
{
	struct call_start_args *s = arg;
	struct call *c = s->c;
	if (c->abandoned || clock_ms() > c->deadline_ms) {
		limits_count_refusal(c->co->limits, LIMITS_SHED);
		err_set(&c->e, ERR_UNAVAILABLE,
		    c->abandoned ? "whoever asked has gone" : "its deadline passed while it waited");
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
		p->retry_after_ms = RETRY_MS;
	if (c->e.code != ERR_AMBIGUOUS_REPO)
		return;
	p->error_code = p->code;
	p->jsonrpc_code = -32602;
}

/* The line of the audit; what a message says may be of the arguments, so that is not in it. */
static void audit_call(const struct call *c, uint64_t n)
{
	bool quiet = (c->tool->hints & POLLED) && !c->e.code;

	audit(quiet ? LOG_DEBUG : LOG_INFO, c->caller, c->via ? c->via : "-", c->tool->name,
	    &c->touched, c->e.code ? err_name(c->e.code) : "ok", clock_ms() - c->start_ms, n);
}

/* The caller's turn has not come: as little as possible is done for it. */
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

/* FNV-1a of its name, which nobody else is told. */
static uint64_t caller_hash(const struct caller *caller)
{
	uint64_t h = 14695981039346656037u;

	if (caller == &caller_self)
		return 0;
	for (const char *s = caller->name; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h ? h : 1;
}

void call_start(struct coordinator *co, const struct tool *tool, const struct caller *caller,
    const char *args, const struct call_client *asker)
{
	struct arena *a = arena_new();
	struct call *c = arena_one(a, struct call);
	struct refusal refusal;

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
	if (limits_acquire(co->limits, caller, LIMITS_CALL, clock_us(), &c->turn, &refusal, &c->e)) {
		refuse_over_limit(c, &refusal);
		return;
	}
	struct call_start_args *s = arena_one(a, struct call_start_args);
	c->out = arena_get(a, 1, tool->out->size);
	calls_add(c);
	*s = (struct call_start_args){ c, arena_str(a, args) };
	if (tool->hints & QUICK) {
		begin(s);
	} else if (pool_run_for(co->pool, c->share, begin, s)) {
		limits_count_refusal(co->limits, LIMITS_QUEUE);
		err_set(
		    &c->e, ERR_RATE_LIMITED, "more requests are waiting than this coordinator takes on");
		call_end(c);
	}
}

/* What is the caller's fault names its own arguments, which it may have again. */
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
	calls_remove(c);
	admission_leave(c->co->admission, &c->pass);
	limits_release(c->co->limits, &c->turn);
	log_set_request(c->req);
	atomic_fetch_add(&c->co->requests, 1);
	if (c->e.code) {
		atomic_fetch_add(&c->co->failures, 1);
		describe(c);
		/* what is the server's fault names none of the arguments */
		log_at(err_http(c->e.code) == 500 ? LOG_WARN : LOG_DEBUG, "call.failed", "message=%s",
		    log_quote(c->e.msg));
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

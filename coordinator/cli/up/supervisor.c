#include "coordinator/cli/up/supervisor.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "coordinator/cli/base/child_process.h"
#include "coordinator/cli/base/terminal_text.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"

enum {
	KILL_AFTER_MS = 5000,	/* ms between SIGTERM and SIGKILL */
	STABLE_MS = 20000,		/* who ran so long starts with a clean slate */
	RESTART_MAX_MS = 30000,	/* ms between two starts */
	LOG_MAX = 16 << 20,	/* bytes of a log before it is set aside */
	TICK = 100,		/* ms */
};

struct supervised_program {
	char *name, **argv, **env;
	bool wanted, quiet;
	pid_t pid;		/* 0: does not run */
	int failures;
	int64_t started, next, sigterm_at;	/* ms; 0: not */
};

struct supervisor {
	pthread_mutex_t lock;	/* over the programs */
	struct supervised_program *v;
	size_t n, cap;
	char *logs;
	sigset_t signals;
	atomic_bool stop;
};

struct supervisor *supervisor_new(const char *logs)
{
	struct supervisor *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	if (logs)
		s->logs = strdup(logs);
	else
		s->logs = NULL;
	sigemptyset(&s->signals);
	sigaddset(&s->signals, SIGINT);
	sigaddset(&s->signals, SIGTERM);
	sigaddset(&s->signals, SIGHUP);
	sigaddset(&s->signals, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &s->signals, NULL);
	return s;
}

static void free_words(char **words)
{
	for (char **p = words; p && *p; p++)
		free(*p);
	free(words);
}

static char **copy_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	char **copy = xcalloc(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = strdup(words[i]);
	return copy;
}

static struct supervised_program *find(struct supervisor *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return &s->v[i];
	return NULL;
}

void supervisor_want(
    struct supervisor *s, const char *name, const char *const *argv, const char *const *env)
{
	pthread_mutex_lock(&s->lock);
	struct supervised_program *p = find(s, name);
	if (!p) {
		s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		p = &s->v[s->n++];
		*p = (struct supervised_program){ .name = strdup(name) };
	}
	free_words(p->argv);
	free_words(p->env);
	p->argv = copy_words(argv);
	p->env = copy_words(env);
	p->wanted = true;
	pthread_mutex_unlock(&s->lock);
}

void supervisor_unwant(struct supervisor *s, const char *name)
{
	pthread_mutex_lock(&s->lock);
	struct supervised_program *p = find(s, name);
	if (p)
		p->wanted = false;
	pthread_mutex_unlock(&s->lock);
}

void supervisor_report_exits(struct supervisor *s, const char *name, bool tell)
{
	pthread_mutex_lock(&s->lock);
	struct supervised_program *p = find(s, name);
	if (p)
		p->quiet = !tell;
	pthread_mutex_unlock(&s->lock);
}

const char *supervisor_wanted(struct supervisor *s, int i, struct arena *a)
{
	const char *name = NULL;

	pthread_mutex_lock(&s->lock);
	for (size_t j = 0; j < s->n && !name; j++)
		if (s->v[j].wanted && i-- == 0)
			name = arena_str(a, s->v[j].name);
	pthread_mutex_unlock(&s->lock);
	return name;
}

int supervisor_failures(struct supervisor *s, const char *name)
{
	pthread_mutex_lock(&s->lock);
	struct supervised_program *p = find(s, name);
	int n = -1;
	if (p && p->wanted)
		n = p->failures;
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* A log that grew large is set aside; one older one is kept. */
static const char *log_of(
    struct supervisor *s, const struct supervised_program *p, char *path, size_t n)
{
	struct stat st;
	char old[4096];

	if (!s->logs)
		return NULL;
	snprintf(path, n, "%s/%s.log", s->logs, p->name);
	snprintf(old, sizeof old, "%s.1", path);
	if (!stat(path, &st) && st.st_size > LOG_MAX)
		rename(path, old);
	return path;
}

static void begin(struct supervisor *s, struct supervised_program *p, int64_t now)
{
	struct err e = { 0 };
	char path[4000];

	p->pid = child_start((const char *const *)(void *)p->argv, (const char *const *)(void *)p->env,
	    log_of(s, p, path, sizeof path), &e);
	p->started = now;
	p->sigterm_at = 0;
	if (p->pid < 0) {
		say(stderr, "%s: cannot be started: %s\n", p->name, e.msg);
		p->pid = 0;
		p->next = now + RESTART_MAX_MS;
	}
}

static void ended(struct supervisor *s, struct supervised_program *p, int status, int64_t now)
{
	int64_t pause;

	p->pid = 0;
	if (now - p->started > STABLE_MS)
		p->failures = 1;
	else
		p->failures = p->failures + 1;
	if (p->failures == 1)
		pause = 0;
	else if (p->failures > 6)
		pause = RESTART_MAX_MS;
	else
		pause = 1000 << (p->failures - 2);
	p->next = now + (pause < RESTART_MAX_MS ? pause : RESTART_MAX_MS);
	if (!p->wanted || p->quiet || atomic_load(&s->stop))
		return;
	if (WIFSIGNALED(status))
		say(stderr, "%s: ended by signal %d", p->name, WTERMSIG(status));
	else
		say(stderr, "%s: ended with status %d", p->name, WEXITSTATUS(status));
	fprintf(
	    stderr, pause ? "; next start in %lld s\n" : "; started again\n", (long long)pause / 1000);
}

/* Ask it to end, and insist after a while. */
static void terminate(struct supervised_program *p, int64_t now)
{
	if (!p->sigterm_at) {
		p->sigterm_at = now;
		kill(p->pid, SIGTERM);
	} else if (now - p->sigterm_at > KILL_AFTER_MS) {
		kill(p->pid, SIGKILL);
	}
}

static void remove_program(struct supervisor *s, struct supervised_program *p)
{
	free_words(p->argv);
	free_words(p->env);
	free(p->name);
	*p = s->v[--s->n];
}

/* How many programs there are still. */
static size_t tick(struct supervisor *s)
{
	int64_t now = clock_ms();
	bool stop = atomic_load(&s->stop);
	int status;

	pthread_mutex_lock(&s->lock);
	for (size_t i = s->n; i-- > 0;) {
		struct supervised_program *p = &s->v[i];
		bool wanted = p->wanted && !stop;
		if (p->pid && waitpid(p->pid, &status, WNOHANG) == p->pid)
			ended(s, p, status, now);
		if (!p->pid && wanted && now >= p->next)
			begin(s, p, now);
		else if (p->pid && !wanted)
			terminate(p, now);
		else if (!p->pid && !wanted)
			remove_program(s, p);
	}
	size_t n = s->n;
	pthread_mutex_unlock(&s->lock);
	return n;
}

static void await_signal(struct supervisor *s)
{
	struct timespec wait = { .tv_nsec = TICK * 1000000L };
	int sig = sigtimedwait(&s->signals, NULL, &wait);

	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
		atomic_store(&s->stop, true);
}

void supervisor_run(struct supervisor *s)
{
	while (!atomic_load(&s->stop)) {
		tick(s);
		await_signal(s);
	}
}

void supervisor_stop(struct supervisor *s)
{
	atomic_store(&s->stop, true);
}

bool supervisor_stopping(struct supervisor *s)
{
	return atomic_load(&s->stop);
}

void supervisor_end(struct supervisor *s)
{
	supervisor_stop(s);
	while (tick(s))
		await_signal(s);
}

void supervisor_free(struct supervisor *s)
{
	free(s->v);
	free(s->logs);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

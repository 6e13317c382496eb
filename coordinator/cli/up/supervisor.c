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
	KILL_AFTER_MS = 5000,	/* from SIGTERM to SIGKILL */
	STABLE_MS = 20000,	/* a program that ran so long is restarted at once */
	RESTART_MAX_MS = 30000,	/* the longest pause before a restart */
	LOG_MAX = 16 << 20,	/* bytes of a log before it is rotated */
	TICK_MS = 100,
};

struct supervised_program {
	char *name, **argv, **env;
	bool wanted, quiet;
	pid_t pid;		/* 0 = not running */
	int failures;
	int64_t started, next, sigterm_at;	/* of clock_ms; 0 = never */
};

struct supervisor {
	pthread_mutex_t lock;	/* guards the programs */
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
		s->logs = xstrdup(logs);
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
		copy[i] = xstrdup(words[i]);
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
		*p = (struct supervised_program){ .name = xstrdup(name) };
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

void supervisor_report_exits(struct supervisor *s, const char *name, bool report)
{
	pthread_mutex_lock(&s->lock);
	struct supervised_program *p = find(s, name);
	if (p)
		p->quiet = !report;
	pthread_mutex_unlock(&s->lock);
}

const char *supervisor_wanted(struct supervisor *s, int i, struct arena *a)
{
	const char *name = NULL;
	int wanted = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t j = 0; j < s->n && !name; j++) {
		if (!s->v[j].wanted)
			continue;
		if (wanted == i)
			name = arena_str(a, s->v[j].name);
		wanted++;
	}
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

/* The path of the program's log, or NULL.  Renames a large one; one older file is kept. */
static const char *rotate_log(
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

static void start(struct supervisor *s, struct supervised_program *p, int64_t now)
{
	struct err e = { 0 };
	char path[4000];
	const char *log = rotate_log(s, p, path, sizeof path);

	p->pid = child_launch(
	    (const char *const *)(void *)p->argv, (const char *const *)(void *)p->env, log, &e);
	p->started = now;
	p->sigterm_at = 0;
	if (p->pid < 0) {
		say(stderr, "%s: cannot start: %s\n", p->name, e.msg);
		p->pid = 0;
		p->next = now + RESTART_MAX_MS;
	}
}

/* The pause before the next start: none after the first failure, then 1, 2, 4 … 30 seconds. */
static int64_t restart_pause(int failures)
{
	if (failures == 1)
		return 0;
	if (failures > 6)
		return RESTART_MAX_MS;
	return 1000 << (failures - 2);
}

static void handle_exit(struct supervisor *s, struct supervised_program *p, int status, int64_t now)
{
	p->pid = 0;
	if (now - p->started > STABLE_MS)
		p->failures = 0;
	p->failures++;
	int64_t pause = restart_pause(p->failures);
	p->next = now + pause;
	if (!p->wanted || p->quiet || atomic_load(&s->stop))
		return;
	if (WIFSIGNALED(status))
		say(stderr, "%s: killed by signal %d", p->name, WTERMSIG(status));
	else
		say(stderr, "%s: exited with status %d", p->name, WEXITSTATUS(status));
	if (pause)
		fprintf(stderr, "; restarting in %lld s\n", (long long)pause / 1000);
	else
		fprintf(stderr, "; restarted\n");
}

/* Send SIGTERM once, and SIGKILL if that was KILL_AFTER_MS ago. */
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

/* Reap, start and terminate programs.  The number of programs that are left. */
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
			handle_exit(s, p, status, now);
		if (!p->pid && wanted && now >= p->next)
			start(s, p, now);
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
	struct timespec wait = { .tv_nsec = TICK_MS * 1000000L };
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

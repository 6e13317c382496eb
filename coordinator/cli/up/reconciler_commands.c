#include "coordinator/cli/up/reconciler_internal.h"

#include <stdio.h>

#include "coordinator/cli/base/child_process.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/program_environment.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* What programs are started with, a word at a time. */
struct command_args {
	const char *v[256];
	size_t n;
};

static void put(struct command_args *w, const char *flag, const char *value)
{
	if (!value || !*value || w->n + 3 > LEN(w->v))
		return;
	w->v[w->n++] = flag;
	w->v[w->n++] = value;
}

/* Certificates, and the cluster key; in the environment they reach the programs as they are. */
static void put_trust(struct reconciler *f, struct command_args *w)
{
	put(w, "--tls-ca", f->o->tls_ca);
	put(w, "--tls-cert", f->o->tls_cert);
	put(w, "--tls-key", f->o->tls_key);
	if (*f->o->cluster_key_file)
		put(w, "--cluster-key-file", f->o->cluster_key_file);
	else if (!f->joins || !f->join.address)
		put(w, "--cluster-key-file", f->site->key);
}

void reconciler_run_coordinator(struct reconciler *f, const char *http, struct arena *a)
{
	struct command_args w = { { child_program("atoll-coordinator", a) }, 1 };

	put(&w, "--data", f->site->data);
	put(&w, "--host", f->host);
	put(&w, "--http", http);
	put(&w, "--listen", arena_printf(a, "ipc://%s/coordinator.sock", f->site->run));
	for (size_t i = 0; i < f->o->listen.n; i++)
		put(&w, "--listen", f->o->listen.v[i]);
	put(&w, "--ready-file", f->site->ready);
	put_trust(f, &w);
	supervisor_want(
	    f->programs, COORDINATOR_LABEL, w.v, program_environment(PROGRAM_COORDINATOR, a));
}

/* Where a shard listens, and to whom it announces itself.  -1: there is no port for it. */
static int put_listen_args(
    struct reconciler *f, struct command_args *w, const char *label, struct arena *a)
{
	const struct host_join *j = &f->join;
	int port = 0;

	if (j->address)
		port = host_join_port(j, label);
	if (port < 0)
		return -1;
	put(w, "--listen",
	    port ? arena_printf(a, "tls+tcp://%s:%d", j->address, port) :
	           arena_printf(a, "ipc://%s/%s.sock", f->site->run, label));
	if (port && j->advertise)
		put(w, "--advertise", arena_printf(a, "tls+tcp://%s:%d", j->advertise, port));
	for (size_t i = 0; i < j->coordinators.n; i++)
		put(w, "--coordinator", j->coordinators.v[i]);
	if (!f->joins)
		put(w, "--coordinator", arena_printf(a, "ipc://%s/coordinator.sock", f->site->run));
	return 0;
}

void reconciler_run_shard(
    struct reconciler *f, const char *label, const char *source, bool from_token, struct arena *a)
{
	struct command_args w = { { child_program("atoll-shard", a) }, 1 };

	put(&w, "--repo", source);
	put(&w, "--data", f->site->data);
	put(&w, "--host", f->host);
	if (put_listen_args(f, &w, label, a)) {
		say(stderr, "atoll: %s: no port for its shard: %s cannot be written\n", source,
		    f->join.ports);
		return;
	}
	put_trust(f, &w);
	put(&w, "--ingest-slots", f->site->slots);
	for (size_t i = 0; i < f->o->safe_directory.n; i++)
		put(&w, "--safe-directory", f->o->safe_directory.v[i]);
	if (from_token && w.n < LEN(w.v) - 1)
		w.v[w.n++] = "--from-token";
	if (f->o->copy_index && w.n < LEN(w.v) - 1)
		w.v[w.n++] = "--copy-index";
	supervisor_want(f->programs, label, w.v,
	    program_environment(source_is_url(source) ? PROGRAM_MIRROR : PROGRAM_SHARD, a));
}

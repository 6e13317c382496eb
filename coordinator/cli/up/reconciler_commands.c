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

/* The command line of a program. */
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

/* Add the certificates and the cluster key; programs inherit those of the environment. */
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

/* Add the addresses for a coordinator on another machine.  -1 if there is no port. */
static int put_tls_address(
    const struct host_join *j, struct command_args *w, const char *label, struct arena *a)
{
	int port = host_join_port(j, label);

	if (port < 0)
		return -1;
	put(w, "--listen", arena_printf(a, "tls+tcp://%s:%d", j->address, port));
	if (j->advertise)
		put(w, "--advertise", arena_printf(a, "tls+tcp://%s:%d", j->advertise, port));
	return 0;
}

/* Add where a shard listens and announces itself.  -1 if there is no port. */
static int put_listen_args(
    struct reconciler *f, struct command_args *w, const char *label, struct arena *a)
{
	const struct host_join *j = &f->join;

	if (!j->address)
		put(w, "--listen", arena_printf(a, "ipc://%s/%s.sock", f->site->run, label));
	else if (put_tls_address(j, w, label, a))
		return -1;
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
		say(stderr, "atoll: %s: no port for its shard: all are in use, or %s is not writable\n",
		    source, f->join.ports);
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
	enum program_kind kind = source_is_url(source) ? PROGRAM_MIRROR : PROGRAM_SHARD;
	supervisor_want(f->programs, label, w.v, program_environment(kind, a));
}

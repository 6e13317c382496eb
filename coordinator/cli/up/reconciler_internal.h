#ifndef COORDINATOR_CLI_UP_RECONCILER_INTERNAL_H
#define COORDINATOR_CLI_UP_RECONCILER_INTERNAL_H
/* Shared by the files of the reconciler. */

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/up/reconciler.h"
#include "proto/net/crypto.h"

#define COORDINATOR_LABEL "coordinator"	/* its name among the supervisor's programs */

/* The coordinator's state, as one poll returns it. */
struct observed_state {
	struct source_list_out want;
	struct status_out is;
	bool settled;		/* every repository is ready, or has failed */
	char state[SHA256_HEX];	/* hash of all graph_hashes and groups */
};

/* ---- reconciler.c ---- */

/* Whether this machine is in the list of hosts, separated by commas, that should run the source. */
bool reconciler_is_for_this_host(const struct reconciler *, const struct source_row *);

/* The row of a repository, or NULL. */
const struct repo_row *observed_repo(const struct status_out *, const char *repo_uri);

/* ---- reconciler_commands.c: the programs and their arguments ---- */

/* Run the coordinator, serving at `http`. */
void reconciler_run_coordinator(struct reconciler *, const char *http, struct arena *);

/*
 * Run the shard of `source` as the program `label`; if it is `from_token`, under the rules of
 * egress.h.  Reports on standard error if no port is left for it.
 */
void reconciler_run_shard(
    struct reconciler *, const char *label, const char *source, bool from_token, struct arena *);

/* ---- reconciler_summary.c ---- */

void reconciler_print_summary(
    const struct reconciler *, const struct observed_state *, unsigned long long contracts);

/* The summary of `atoll up --join`. */
void reconciler_print_host_summary(
    const struct reconciler *, const struct observed_state *, struct arena *);
#endif

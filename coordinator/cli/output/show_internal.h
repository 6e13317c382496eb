#ifndef COORDINATOR_CLI_OUTPUT_SHOW_INTERNAL_H
#define COORDINATOR_CLI_OUTPUT_SHOW_INTERNAL_H
/* Shared by the files that print results; private to this folder. */

#include "coordinator/cli/base/cli.h"

struct arena;
struct coverage;
struct freshness;
struct index_state;
struct repo_names;

/* ---- show_common.c: parts of the output; texts are in the arena ---- */

/* Print how to get the next page, if there is one. */
void show_more(const char *cursor);

/* The remark, or if there is none, what the index lacks; NULL if nothing. */
const char *show_gaps(const char *remark, const struct freshness *, struct arena *);

/* Print which members did not answer or lack something, and which indexes are behind. */
void show_coverage(const struct coverage *, bool complete, const struct repo_names *);

/* `prefix` and the text, or "" if there is no text. */
const char *show_prefixed(const char *prefix, const char *text, struct arena *);

const char *show_number(uint64_t, struct arena *);

/* The status, with the progress unless it is `ready`: `indexing 3/7`. */
const char *show_index_state(const char *status, uint64_t done, uint64_t total, struct arena *);

/*
 * What is wrong with a repository: the conflict, the reason for its health, or the error of its
 * last job with the time of the next attempt; or else the error in its atoll.yaml.
 */
const char *show_remark(const char *conflict, const char *reason, const struct index_state *,
    const char *atoll_yaml, struct arena *);

/* ---- the printers of other files ---- */

/* Results of job_list, and of job_show and job_cancel. */
void show_jobs(const void *, const struct repo_names *);
void show_job(const void *, const struct repo_names *);

/* The result of repo_status. */
void show_repo_status(const void *, const struct repo_names *);

/* Results of the group_* tools; show_matrix prints those of group_contracts in numbers. */
void show_group_status(const void *, const struct repo_names *);
void show_group_query(const void *, const struct repo_names *);
void show_matrix(const void *, const struct repo_names *);
void show_contracts(const void *, const struct repo_names *);
void show_route_calls(const void *, const struct repo_names *); /* with what speaks for each */
void show_links(const void *, const struct repo_names *);
void show_graph(const void *, const struct repo_names *);
void show_sync(const void *, const struct repo_names *);

/* The result of packages. */
void show_packages(const void *, const struct repo_names *);

/* The result of explain_link. */
void show_why(const void *, const struct repo_names *);
#endif

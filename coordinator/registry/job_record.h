#ifndef COORDINATOR_REGISTRY_JOB_RECORD_H
#define COORDINATOR_REGISTRY_JOB_RECORD_H
/* A job as stored in the registry, and its kind (a row of jobs.def). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_run;

enum job_scope { REPO, GROUP, ALL };
enum job_load { LIGHT, HEAVY };
enum job_overlap { SKIP, AGAIN };
enum job_ownership { JOB_SHARED, JOB_LOCAL };

struct job_kind {
	const char *name, *doc, *lane;
	enum job_scope of;
	enum job_load load;
	enum job_overlap again;
	enum job_ownership ownership;
	void (*step)(struct job_run *);
};

/*
 * A job.  Strings live in the arena that it was read into; NULL = unset.  Times are real time in
 * milliseconds; 0 = unset.
 */
struct job {
	int64_t seq;
	const char *id, *kind, *key, *lane, *repo_uri, *group, *host, *base, *head, *reason, *caller;
	const char *state;		/* queued | running | done | failed */
	const char *memo, *phase, *note, *code, *message;
	bool force, cancelled;
	int64_t tries, waits, lost, created_ms, due_ms, started_ms, ended_ms;
	uint64_t done, total, generation;	/* generation: of the index that it built or found */
};
#endif

#include "shard/ingest/fetch_process.h"

#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/base/options.h"
#include "shard/git/repo.h"
#include "shard/ingest/index_copy.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/ingest/mirror_repair.h"

/*
 * git and ssh may read everything and start what the user has configured; they may write the mirror
 * and the known hosts.
 */
static int enter_sandbox(
    const struct options *o, const struct repo_source *s, struct arena *a, struct err *e)
{
	struct sandbox box = { .mode = o->sandbox, .network = true, .trusted = true, .a = a };
	const char *home = getenv("HOME");

	sandbox_allow(&box, s->data, LANDLOCK_WRITE);
	if (s->mirrors)
		sandbox_allow(&box, s->mirrors, LANDLOCK_WRITE | LANDLOCK_FOLDERS);
	if (home)
		sandbox_allow(&box, arena_printf(a, "%s/.ssh/known_hosts", home), LANDLOCK_WRITE);
	return sandbox_enter(&box, e);
}

/* Copies an index if there is none yet. Returns 1 if it did. */
static int copy(struct ingest *in, struct arena *a, struct err *e)
{
	struct index_info info;
	char settings[SHA256_HEX];

	if (in->o->force || !in->o->copy_index)
		return 0;
	if (!store_current(in->src.data, &info, NULL))
		return 0;
	struct repo *repo = repo_open(in->src.place, e);
	if (!repo)
		return -1;
	in->quarantine = quarantine_read(in->src.data, a);
	ingest_settings_hash(in, settings);
	int rc = copy_index(in, repo, settings, a);
	repo_close(repo);
	return rc;
}

static int fetch_and_copy(struct ingest *in, struct arena *a, struct err *e)
{
	ingest_acquire_slot(in->o);
	if (enter_sandbox(in->o, &in->src, a, e))
		return -1;
	ingest_report("fetch 0 0");
	if (repo_source_fetch(&in->src, in->o, a, e))
		return -1;
	mirror_repair(&in->src, in->o, a);
	return copy(in, a, e);
}

int fetch_process_run(const struct options *o, struct err *e)
{
	struct ingest in = { .o = o, .notes = -1 };
	struct arena *a = arena_new();

	ingest_set_limits(o);
	int rc = repo_source_resolve(&in.src, o, a, e);
	if (!rc)
		rc = fetch_and_copy(&in, a, e);
	if (rc < 0)
		ingest_report("error %s %s", err_name(e->code), e->msg);
	else
		ingest_report(rc ? "published" : "unchanged");
	arena_free(a);
	return rc < 0;
}

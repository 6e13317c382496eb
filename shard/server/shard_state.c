#include "shard/server/shard_state.h"

/*
 * Whether the last ingest has failed.  One that is tried again by itself stays so until there is
 * something to index; else its state would change with every attempt.
 */
static bool has_failed(const struct shard_status *st)
{
	bool rebuilds = st->code == ERR_DB_ERROR || st->code == ERR_SCHEMA_MISMATCH;

	return st->code && !rebuilds && !(st->running && st->amount.total);
}

const char *shard_state_status(const struct shard_status *st)
{
	if (*st->info.file)
		return "ready";
	if (has_failed(st))
		return "failed";
	if (st->running || st->wanted)
		return "building";
	return "pending";
}

const char *shard_state_vectors(const struct shard_status *st)
{
	if (!*st->info.file || !st->vectors.total)
		return "none";
	bool complete = st->vectors.done >= st->vectors.total && st->vectors.files_done;
	if (st->embedding || !complete)
		return "building";
	return "complete";
}

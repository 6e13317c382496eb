#include "shard/server/shard_state.h"

const char *shard_state_status(const struct shard_status *st)
{
	if (*st->info.file)
		return "ready";
	if (st->running)
		return "building";
	bool rebuilds = st->code == ERR_DB_ERROR || st->code == ERR_SCHEMA_MISMATCH;
	if (st->code && !rebuilds)
		return "failed";
	if (st->wanted)
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

#include "shard/server/shard_state.h"

const char *shard_state_status(const struct shard_status *st)
{
	if (*st->info.file)
		return "ready";
	if (st->running)
		return "building";
	if (st->code && st->code != ERR_DB_ERROR && st->code != ERR_SCHEMA_MISMATCH)
		return "failed";
	if (st->wanted)
		return "building";
	return "pending";
}

const char *shard_state_vectors(const struct shard_status *st)
{
	if (!*st->info.file || !st->vectors.total)
		return "none";
	if (st->embedding || st->vectors.done < st->vectors.total || !st->vectors.files_done)
		return "building";
	return "complete";
}

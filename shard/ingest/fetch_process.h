#ifndef SHARD_INGEST_FETCH_PROCESS_H
#define SHARD_INGEST_FETCH_PROCESS_H
/*
 * The fetching child, which runs before the ingest child: it updates the mirror of a URL and, with
 * --copy-index, copies a first index from another shard. It alone has the network and the
 * credentials for remotes, and it parses nothing. It reports to its parent as the ingest child does
 * (ingest.h): `fetch`, `copy`, then published (an index was copied) | unchanged | error CODE
 * message.
 */

struct err;
struct options;

/* Runs as the child. Returns the exit status. */
int fetch_process_run(const struct options *, struct err *e);
#endif

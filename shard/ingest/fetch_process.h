#ifndef SHARD_INGEST_FETCH_PROCESS_H
#define SHARD_INGEST_FETCH_PROCESS_H
/*
 * The child that fetches, ahead of the ingest child: it brings the mirror of a URL up to date
 * and, with --copy-index, takes a first index from another shard.  It alone has the network and
 * what proves who we are to remotes, and it parses nothing.  It tells its parent as the ingest
 * child does (ingest.h): `fetch`, `copy`, then published (an index was copied) | unchanged |
 * error CODE message.
 */

struct err;
struct options;

/* Be the child.  Returns the exit status. */
int fetch_process_run(const struct options *, struct err *e);
#endif

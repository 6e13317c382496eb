#ifndef COORDINATOR_CALLS_CONTEXT_H
#define COORDINATOR_CALLS_CONTEXT_H
/*
 * Everything that lives as long as the coordinator: calls and tools find the parts that they use
 * here.  coordinator.h opens and closes them.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/call.h"
#include "coordinator/calls/call_metrics.h"
#include "coordinator/members/load_balancing.h"
#include "proto/wire/wire.h"

struct admission;
struct timers;
struct watchdog;
struct embedder;
struct err;
struct http_server;
struct jobs;
struct limits;
struct live_events;
struct llm;
struct mcp;
struct meaning_threshold;
struct members;
struct pool;
struct registry;
struct auto_sync;
struct recent_matches;
struct scoped_tables_cache;
struct stats;
struct group_sync_queue;
struct ticker;
struct tokens;

enum { TICKERS = 3 };

struct coordinator {
	struct coordinator_config o;
	struct arena *a;		/* holds the strings of the options */
	const char *host;		/* name of this machine */
	struct wire_trust trust;
	struct registry *registry;	/* repositories, groups, tokens, jobs: SQLite */
	struct members *members;	/* repositories with their live shards */
	struct tokens *tokens;		/* who may use the coordinator */
	struct stats *stats;		/* cached statistics of the words in the members' indexes */
	struct pool *pool;		/* runs tools and their continuations */
	struct call_list calls;
	struct timers *timers;
	struct admission *admission;	/* limits questions to many shards */
	atomic_size_t reply_bytes;	/* bytes of replies held by calls that are not freed yet */
	struct hedges hedges;		/* questions that are sent to a second shard */
	struct limits *limits;		/* limits each caller */
	struct group_sync_queue *group_syncs;	/* contracts that are being rebuilt */
	struct recent_matches *recent_matches;	/* what matches left for the next ones */
	struct scoped_tables_cache *scoped_tables;	/* for callers who do not see all members */
	struct auto_sync *auto_sync;	/* rebuilds contracts automatically */
	struct jobs *jobs;		/* background work */
	struct llm *llm;		/* answers for ask_code */
	struct pool *slow;		/* threads that wait for `llm` */
	struct embedder *embedder;	/* for questions */
	struct meaning_threshold *meaning_threshold;	/* of `embedder` */
	struct pool *embedding;		/* threads that wait for `embedder`, if it is remote */
	struct http_server *http;
	struct live_events *live;	/* clients that receive changes */
	struct mcp *mcp;		/* sessions and streams of MCP clients */
	struct ticker *tickers[TICKERS];	/* for resync, tokens and mcp */
	void (*reload)(struct coordinator *);	/* reads the registry again: cluster_events.h */
	struct watchdog *watchdog;	/* notifies the service manager */
	char http_url[128];		/* where it listens, with the real port */
	char membership_url[256];
	t_strs membership_urls;		/* all of them */
	int64_t started_ms;
	atomic_uint_fast64_t requests, failures;
	struct metrics metrics;
};
#endif

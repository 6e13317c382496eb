#ifndef COORDINATOR_CALLS_CONTEXT_H
#define COORDINATOR_CALLS_CONTEXT_H
/*
 * What lives as long as the coordinator: calls and tools find the parts that they work with here.
 * coordinator.h opens and ends them.
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
struct members;
struct pool;
struct registry;
struct auto_sync;
struct scoped_tables_cache;
struct stats;
struct group_sync_queue;
struct ticker;
struct tokens;

enum { TICKERS = 3 };

struct coordinator {
	struct coordinator_config o;
	struct arena *a;		/* strings of the options */
	const char *host;		/* this machine */
	struct wire_trust trust;
	struct registry *registry;	/* what is registered: SQLite */
	struct members *members;	/* who is there: live shards */
	struct tokens *tokens;		/* who may ask */
	struct stats *stats;		/* what is known of the words in their indexes */
	struct pool *pool;		/* runs tools and their continuations */
	struct call_list calls;
	struct timers *timers;
	struct admission *admission;	/* of questions to many shards */
	/* bytes that shards have answered to calls that are not freed */
	atomic_size_t reply_bytes;
	struct hedges hedges;		/* questions that are sent to a second shard */
	struct limits *limits;		/* of one caller */
	struct group_sync_queue *group_syncs;		/* contracts that are being rebuilt */
	/* those of callers who do not see all members */
	struct scoped_tables_cache *scoped_tables;
	struct auto_sync *auto_sync;		/* which shall be, without being asked */
	struct jobs *jobs;		/* work in its own time */
	struct llm *llm;		/* answers of ask_code */
	struct pool *slow;		/* waits for it */
	struct embedder *embedder;	/* of questions */
	struct pool *embedding;		/* waits for it, when it is somewhere else */
	struct http_server *http;
	struct live_events *live;		/* who is told what moves */
	struct mcp *mcp;		/* sessions and streams of its clients */
	struct ticker *tickers[TICKERS];	/* of resync, tokens and mcp */
	/* takes into memory what the registry has: cluster_events.h */
	void (*reload)(struct coordinator *);
	struct watchdog *watchdog;		/* tells the service manager */
	char http_url[128];		/* where it answers, with the real port */
	char membership_url[256];
	t_strs membership_urls;		/* all of them */
	int64_t started_ms;
	atomic_uint_fast64_t requests, failures;
	struct metrics metrics;
};
#endif

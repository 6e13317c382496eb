#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_INTERNAL_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_INTERNAL_H
/* What the parts of the matcher share. */

#include "coordinator/contracts/matching/match.h"
#include "coordinator/contracts/matching/match_host.h"
#include "coordinator/contracts/matching/match_route_index.h"

struct base_url_server;
struct base_url_index;
struct gateway_index;
struct provider_name_index;
struct topic_index;

struct provider {
	size_t member;
	const struct fact *fact;
	struct path_template path;
	bool everywhere;	/* a route that nearly every server has */
	bool used;
};

/* What sends a call, or a message, on. */
struct forward_hop {
	size_t member;
	const struct fact *fact;
	const char *seen;		/* the path, the queue, behind it */
	const struct forward_hop *next;		/* what did so before it, or NULL */
};

/* Why a provider may be the one that is called; less is better. */
enum match_basis {
	MATCH_BY_GATEWAY,	/* a gateway sends the call there */
	MATCH_BY_NAME,	/* the host, or the name of what holds the address, is its repository's */
	MATCH_OWN_REPO,	/* it is in the caller's own repository, and nothing says otherwise */
	MATCH_BY_PREFIX,	/* a segment in front of what it serves is its repository's name */
	MATCH_BY_BASE_URL,	/* its repository serves most of what is called at that address */
	MATCH_BY_PATH,	/* nothing but method and path */
};

/* How well a provider fits a call. */
struct match_rank {
	enum match_basis basis;
	struct path_match fit;
	bool foreign;		/* not the caller's own repository */
	bool any;		/* not by the very method */
	bool documented;	/* a document says it, and no code */
};

struct match_target {
	struct provider *p;
	struct match_rank rank;
	/* the gateway that sends it there, and those before it; NULL: none is known */
	const struct forward_hop *via;
	bool loose;		/* and only a name like theirs says that it is them */
};

struct match_context {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct host_index *hosts;
	struct provider *providers;	/* by member */
	size_t nproviders;
	size_t *first;			/* of each member, and behind the last */
	bool *serves;			/* the member answers HTTP at all */
	struct match_index *index;	/* of HTTP paths; `of` has the provider of each */
	size_t *of;
	struct provider_name_index *named;		/* gRPC methods, fields of GraphQL */
	struct topic_index *topics;
	struct base_url_index *bases;
	struct gateway_index *gates;
	struct match_result *out;
};

/* A call on its way. */
struct call_site {
	size_t member;
	const struct fact *fact;
	struct path_template path;
	enum host_class host_class;
	/* hint.n: the name of what holds the address says something, too */
	struct host_names host, hint;
	const struct base_url_server *bases;	/* who serves that address */
	size_t nbases;
	struct host_names prefix;	/* of whom a segment in front of the path is the name */
	bool sent;			/* by a gateway: all of the path is known, though it be a hole */
	bool through;			/* the host is a member that serves nothing itself: a gateway */
	bool lost;			/* a gateway sends it to where nobody serves it */
	struct match_target *v;		/* equally good ones */
	size_t n, cap, repos;
};

/* Of the same text; neither is NULL. */
bool match_text_equal(const char *s, const char *word);
bool match_methods(const char *call, const char *route);

/* Whether the paths are the same, and nothing is guessed. */
bool match_exact(const struct match_rank *);

/* The targets of a call, which are added to it; they are the caller's to free. */
void match_choose(struct match_context *, struct call_site *);

/* How sure it is that the call reaches one of its targets. */
double match_confidence(const struct call_site *, const struct match_target *);

/*
 * The rows of a call, and the providers that nobody calls.  `most`: repositories that a call may
 * be for.
 */
void match_rows(struct match_context *, struct call_site *, size_t most);
void match_idle(struct match_context *);
#endif

#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_INTERNAL_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_INTERNAL_H
/* What the parts of the matcher share. */

#include "coordinator/contracts/matching/match.h"
#include "coordinator/contracts/matching/match_host.h"
#include "coordinator/contracts/paths/match_route_index.h"

struct address_server;
struct call_declarations;
struct declarations;
struct address_index;
struct client_address;
struct gateway_index;
struct match_memory;
struct member_relations;
struct provider_name_index;
struct request_group;
struct topic_index;

struct provider {
	size_t member;
	const struct fact *fact;
	struct path_template path;
	bool everywhere;	/* a route that nearly every server has, such as /health */
	bool example; /* it is in a folder of examples or tests */
	bool used;
};

/* A gateway or subscription that forwards a call or a message. */
struct forward_hop {
	size_t member;
	const struct fact *fact;
	const char *seen;		/* the path or queue behind it */
	const struct forward_hop *next;		/* the hop before it, or NULL */
};

/* Why a provider may be the one that is called; lower is better. */
enum match_basis {
	MATCH_BY_GATEWAY,	/* a gateway forwards the call there */
	MATCH_BY_NAME,	/* the host, or the variable with the address, has its repository's name */
	MATCH_OWN_REPO,	/* it is in the caller's own repository, and no host contradicts that */
	MATCH_BY_PREFIX,	/* a leading segment of the call's path is its repository's name */
	MATCH_BY_BASE_URL,	/* its repository serves most of the requests to that address */
	MATCH_BY_PATH,	/* method and path fit, and nothing else is known */
};

/* How well a provider fits a call. */
struct match_rank {
	enum match_basis basis;
	struct path_match fit;
	bool foreign;		/* not in the caller's own repository */
	bool any;		/* the methods fit but are not equal */
	bool partial;		/* its prefix is not known, so that it may be another route */
	bool documented;	/* declared by a document, not found in code */
};

struct match_target {
	struct provider *p;
	struct match_rank rank;
	const struct forward_hop *via;	/* the last gateway on the way, or NULL */
	bool loose;		/* the gateway names a host that only resembles its repository's name */
};

struct match_context {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct host_index *hosts;
	struct provider *providers;	/* ordered by member */
	size_t nproviders;
	size_t *first;			/* index of each member's first provider; one more at the end */
	bool *serves;			/* whether each member serves any HTTP route */
	struct match_index *index;	/* HTTP paths; `of` has the provider of each */
	size_t *of;
	struct provider_name_index *named;	/* gRPC methods and fields of GraphQL */
	struct topic_index *topics;
	struct address_index *addresses;
	struct member_relations *relations;
	struct declarations *declarations;
	struct gateway_index *gates;
	struct match_result *out;
	struct match_memory *memory; /* notes what calls depend on; NULL: nothing does */
	double least; /* what is less sure than this is no link, but a candidate */
};

/* A call that is being matched. */
struct call_site {
	size_t member;
	const struct fact *fact;
	struct path_template path;
	enum host_class host_class;
	/* members that the host names, and those that the variable with the address names */
	struct host_names host, hint;
	struct call_declarations *declared; /* what people say about the call */
	/* all requests to its address, those that begin alike, those from the same folder; NULL for none */
	struct client_address *address;
	struct request_group *like, *near;
	const struct address_server *bases; /* members that serve that address */
	size_t nbases;
	struct host_names prefix;	/* members that a leading segment of the path names */
	bool sent;			/* forwarded by a gateway, so the whole path is known */
	bool through;			/* the host is a member that serves nothing itself: a gateway */
	bool lost;			/* a gateway forwards it to where nothing serves it */
	struct match_target *v;		/* the best targets, all equally good */
	size_t n, cap, repos;
};

/*
 * Index what the members provide, for any number of calls.  The members are copied and ordered by
 * repo_uri; rows go to `out`.  match_end frees all but the rows.
 */
void match_begin(struct match_context *, const struct match_member *, size_t n, struct arena *,
    struct match_result *out);
void match_end(struct match_context *);

/* The order of facts by where they are, and what they say there. */
int match_compare_places(const struct fact *, const struct fact *);

/* The usable facts of one side (`provides`, `consumes`, `forwards`) of a member, ordered by place. */
const struct fact **match_side(
    const struct match_member *, const char *side, struct arena *, size_t *n);

/*
 * A call with what its host names; then whether the calls to its address may tell who serves it, so
 * that it belongs into the address index; then its rows, once that index is built.
 */
struct call_site *match_site(const struct match_context *, size_t member, const struct fact *);
bool match_has_unknown_server(const struct call_site *);
void match_resolve(struct match_context *, struct call_site *);

/*
 * The providers of a member, in [from, to); whether it serves any HTTP route.  They are for a call,
 * whose answer then depends on all that the member provides.
 */
struct provider_range {
	size_t from, to;
};
struct provider_range match_providers_of(
    const struct match_context *, const struct call_site *, size_t member);
bool match_serves(const struct match_context *, const struct call_site *, size_t member);

/* The index of the member with this repo_uri; `n` of the context if there is none. */
size_t match_find_member(const struct match_context *, const char *repo_uri);

/* Whether the texts are equal.  `s` may be NULL, which equals nothing. */
bool match_text_equal(const char *s, const char *word);
bool match_methods(const char *call, const char *route);

/* Whether the paths fit exactly, without a guess. */
bool match_exact(const struct match_rank *);

/* Find the targets of a call and add them to it.  The caller frees them. */
void match_choose(struct match_context *, struct call_site *);

/* The confidence, 0 to 1, that the call reaches this target. */
double match_confidence(
    const struct match_context *, const struct call_site *, const struct match_target *);

/* Set `end` to a place of the member, and return it. */
struct end *match_end_of(const struct match_member *, const struct fact *, struct end *);

/*
 * Append the rows of a call, which is unresolved if no target is more likely to be right than wrong;
 * and the rows of providers without a call.
 */
void match_rows(struct match_context *, struct call_site *);
void match_add_unresolved(struct match_context *, const struct call_site *);
void match_idle(struct match_context *);
#endif

#ifndef SHARD_CONTRACTS_GRPC_GRPC_INTERNAL_H
#define SHARD_CONTRACTS_GRPC_GRPC_INTERNAL_H
/*
 * The parts of grpc: services and their names (grpc_services), what is a stub (grpc_stubs), calls
 * and implementations (grpc).
 */

#include "shard/contracts/grpc/grpc.h"
#include "shard/facts/facts.h"
#include "shard/base/kinds.h"
#include "shard/program/name_resolution.h"

enum { MOST_FULL = 8, MOST_METHODS = 300, MOST_PROTOS = 32, DEEPEST = 6 };

/* A service as code names it. */
struct rpc_service {
	const char *name;
	const char *hint;		/* where that name is from, as written: import, qualifier */
	struct source_file *generated;		/* the file with its stub; NULL: not of this repository */
	const char *full[MOST_FULL];	/* package.Service; none: not known */
	size_t nfull;
	const char *method[MOST_METHODS];
	size_t nmethods;		/* 0: not known */
	bool infra;			/* health and reflection */
	struct rpc_service *next;
};

/*
 * What an expression is a stub of, or a type derived from: the name of a service, and where it
 * says so.
 */
struct service_ref {
	const char *name, *hint;
	struct source_file *generated;
};

/*
 * What a call's receiver was found to be: in a definition, and with one meaning of its first name,
 * always the same.
 */
struct receiver {
	const char *text;		/* the facts' own string; NULL: free */
	int definition;
	const struct local *first, *by;
	struct service_ref named;
	bool stub;
};

/* What is asked for one file. */
struct grpc {
	struct name_resolver *l;
	const struct facts *f;
	struct fact_list *out;
	struct rpc_service *services;
	/* and what they implement */
	struct { const struct sym *type; const struct rpc_service *v[4]; size_t n; bool resembles; } *types;
	size_t ntypes, types_cap;
	const struct local *by;		/* the variable by which a stub was found; NULL */
	struct receiver *receivers;	/* open addressing; free those */
	size_t nreceivers, receivers_size;
};

/* ---- grpc_services.c ---- */

/* The word that a pattern finds at the end of a dotted name; NULL: none. */
const char *grpc_match_pattern(const char *pattern, const char *text, struct arena *a);

/* A dotted name with what its first part is imported as put in its place. */
const char *grpc_unalias(struct grpc *g, struct source_file *f, const char *text);

/* Whether one of the words stands in the text. */
bool grpc_contains_word(const struct word_list *words, const char *text);

/* An expression with what its first names are given, or functions give back, in their place. */
const char *grpc_unfold(struct grpc *g, struct source_file *f, const char *text);

/* Whether the file is generated code of the service. */
bool grpc_generated_file(struct grpc *g, struct source_file *f, const char *service);

/* The service of a name, read once. */
const struct rpc_service *grpc_service(struct grpc *g, const struct service_ref *n);

/*
 * Its method as the .proto has it: getCart, GetCartAsync are GetCart.  NULL: the service is known,
 * and has none.
 */
const char *grpc_method(const struct grpc *g, const struct rpc_service *s, const char *name);

/* ---- grpc_stubs.c ---- */

/* A type, or what is called to make a stub, by its name. */
bool grpc_stub_by_name(struct grpc *g, struct source_file *f, int definition, const char *text,
    size_t n, const struct word_list *patterns, struct service_ref *out);

/*
 * What the receiver of a call in the file is, found once; it stays as it is until the next is
 * asked for.
 */
const struct receiver *grpc_receiver(struct grpc *g, const struct reference *r);

/* Whether an expression at a line of a definition is a stub, and of what. */
bool grpc_stub(struct grpc *g, struct source_file *f, int definition, uint32_t line,
    const char *text, int depth, struct service_ref *out);

#endif

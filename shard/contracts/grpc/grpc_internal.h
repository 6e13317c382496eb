#ifndef SHARD_CONTRACTS_GRPC_GRPC_INTERNAL_H
#define SHARD_CONTRACTS_GRPC_GRPC_INTERNAL_H
/*
 * The parts of grpc: services and their names (grpc_services), stubs (grpc_stubs), calls and
 * implementations (grpc).
 */

#include "shard/contracts/grpc/grpc.h"
#include "shard/facts/facts.h"
#include "shard/base/kinds.h"
#include "shard/program/name_resolution.h"

enum { MOST_SERVICES = 32, MOST_FULL = 8, MOST_METHODS = 300, MOST_PROTOS = 32, DEEPEST = 6 };

/* A service as code names it. */
struct rpc_service {
	const char *name;
	const char *hint;		/* the source of that name as written: import, qualifier */
	struct source_file *generated;	/* the file with its stub; NULL: not of this repository */
	const char *full[MOST_FULL];	/* package.Service; none if unknown */
	size_t nfull;
	const char *method[MOST_METHODS];
	size_t nmethods;		/* 0 = unknown */
	bool infra;			/* health and reflection */
	struct rpc_service *next;
};

/* The service of a stub or of a base, and the source of its name. */
struct service_ref {
	const char *name, *hint;
	struct source_file *generated;
};

/*
 * The result for a call's receiver: it is the same everywhere in a definition where the first name
 * means the same local.
 */
struct receiver {
	const char *text;		/* the facts' own string; NULL: free */
	int definition;
	const struct local *first, *by;
	struct service_ref named;
	bool stub;
};

/* The state for one file. */
struct grpc {
	struct name_resolver *l;
	const struct facts *f;
	struct fact_list *out;
	struct rpc_service *services;
	/* types and the services that they implement */
	struct {
		const struct sym *type;
		const struct rpc_service *v[MOST_SERVICES];
		size_t n;
		bool resembles;
	} *types;
	size_t ntypes, types_cap;
	const struct local *by;		/* the variable by which a stub was found; NULL */
	struct receiver *receivers;	/* open addressing; free those */
	size_t nreceivers, receivers_size;
};

/* ---- grpc_services.c ---- */

/* The word that `*` of a pattern matches at the end of a dotted name; or NULL. */
const char *grpc_match_pattern(const char *pattern, const char *text, struct arena *a);

/* A dotted name whose first part is replaced by what it imports. */
const char *grpc_unalias(struct grpc *g, struct source_file *f, const char *text);

/* Whether the text contains one of the words. */
bool grpc_contains_word(const struct word_list *words, const char *text);

/* An expression whose first names are replaced by their values or results. */
const char *grpc_unfold(struct grpc *g, struct source_file *f, const char *text);

/* Whether the file is generated code of the service. */
bool grpc_generated_file(struct grpc *g, struct source_file *f, const char *service);

/* The service of a name; it is read once. */
const struct rpc_service *grpc_service(struct grpc *g, const struct service_ref *n);

/*
 * The service's method as the .proto spells it: getCart and GetCartAsync are GetCart.  NULL: the
 * service is known and lacks it.
 */
const char *grpc_method(const struct grpc *g, const struct rpc_service *s, const char *name);

/* ---- grpc_stubs.c ---- */

/* Find the service of a type, or of a function that makes stubs, by its name; false: it is none. */
bool grpc_stub_by_name(struct grpc *g, struct source_file *f, int definition, const char *text,
    size_t n, const struct word_list *patterns, struct service_ref *out);

/* The result for the receiver of a call; it is valid until the next call of this function. */
const struct receiver *grpc_receiver(struct grpc *g, const struct reference *r);

/* Whether an expression at a line of a definition is a stub, and of what. */
bool grpc_stub(struct grpc *g, struct source_file *f, int definition, uint32_t line,
    const char *text, int depth, struct service_ref *out);

#endif

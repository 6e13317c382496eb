#ifndef SHARD_CONTRACTS_FRAMEWORK_OBJECTS_H
#define SHARD_CONTRACTS_FRAMEWORK_OBJECTS_H
/*
 * Between the parts of contracts (contracts_internal.h), which compose the facts of a site, and
 * framework_objects.c, which knows what its object is and lies below.
 */

#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/contracts/contracts.h"
#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/facts/facts.h"

static inline bool has(const struct framework_match *h, enum role r)
{
	return !ts_node_is_null(h->node[r]);
}

/* Whether the spot gives a prefix. */
static inline bool prefixed(const struct framework_match *h)
{
	return has(h, ROLE_PREFIX) || h->prefix || h->keys[ROLE_PREFIX];
}

/* The text of the prefix that it gives. */
const char *framework_match_prefix(
    struct dataflow_context *, struct contract_file *in, const struct framework_match *);

/*
 * What stands for one application, router, group or client: the expression that makes it, or a
 * name.
 */
struct framework_object {
	struct contract_file *in;
	uint32_t at;		/* byte of that expression, one more; 0: by name */
	const char *name;	/* without `this.` or `self.`; NULL: none */
	TSNode node;		/* that has the name, when it is known by that */
};

enum { MAX_FRAMEWORK_OBJECTS = 16, MAX_PREFIXES = 16 };

struct framework_object_list {
	struct framework_object v[MAX_FRAMEWORK_OBJECTS];
	size_t n;
};

struct prefixes {
	const char *v[MAX_PREFIXES];
	size_t n;
};

/* Whatever the expression may be: one of which nothing is known, by its name. */
void framework_objects_of(
    struct dataflow_context *, struct expression, struct framework_object_list *out);

/* The same of what a spot binds, or of what is meant of the module that it binds. */
void framework_objects_bound_by(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, struct framework_object_list *out);

/* Whether an expression of the file makes what the spot speaks of: no import, no parameter. */
bool object_created_in_file(
    struct dataflow_context *, struct contract_file *in, const struct framework_match *);

/*
 * The elements of the list that the function around a node is called for, at most `max`:
 * routes.forEach(r => app.use(r.path, r.router)). Their number; 0: it is not called so.
 */
size_t list_elements(struct dataflow_context *, struct contract_file *in, TSNode n,
    TSNode *function, struct expression *out, size_t max);

/* Whether the framework makes it. */
bool is_framework_object(
    struct dataflow_context *, const struct framework *, const struct framework_object *);

/* The prefixes of what belongs to it, each once; "" where there is none. */
void framework_object_prefixes(struct dataflow_context *, const struct framework *,
    const struct framework_object *, struct prefixes *out);
/* The same, and only those that it has. */
void prefixes_add(struct prefixes *, const char *);
/*
 * Put the prefixes of the scopes of a file around a mount behind each of `out`, but those of
 * scopes that are objects.
 */
void scopes_around(struct dataflow_context *, struct contract_file *,
    const struct framework_matches *, const struct framework_match *mount, struct prefixes *out);

/* Both with a slash between them, where there are two. */
const char *path_join(struct arena *, const char *before, const char *after);

/* What the framework's queries find in another file; NULL: that has another language. */
struct framework_matches *framework_matches_in_file(
    struct contract_file *in, const struct framework *);

/* Whether the spot says which versions something has. */
static inline bool versioned(const struct framework_match *h)
{
	return has(h, ROLE_VERSION) || h->keys[ROLE_VERSION];
}

/*
 * What is said once for all of a framework: a prefix, or (`versions`) how versions stand in paths;
 * null: nothing of it.
 */
static inline TSNode framework_global_node(const struct framework_match *h, bool versions)
{
	return !h->global || versioned(h) != versions ? (TSNode){ 0 } :
	                                                h->node[versions ? ROLE_OPTIONS : ROLE_PREFIX];
}

/* Under this name, besides none, such things are known to other files. */
#define VERSIONS_NAME "@versions"

/* Under this name interceptors that are for all of a framework are known to other files. */
#define INTERCEPTS_NAME "@intercepts"

/* Whether the spot says that a function is given each request of a client before it is sent. */
static inline bool intercepts(const struct framework_match *h)
{
	return has(h, ROLE_INTERCEPT) && !h->global;
}

/* Whether the spot says what an object of the framework is. */
static inline bool binds_object(const struct framework_match *h)
{
	return !has(h, ROLE_SITE) && !intercepts(h) && (has(h, ROLE_INSTANCE) || has(h, ROLE_BIND));
}

/*
 * Whether the spot says of something that it is mounted on or changed by something, perhaps in
 * another file.
 */
static inline bool links_objects(const struct framework_match *h)
{
	return has(h, ROLE_BIND) && (has(h, ROLE_OBJECT) || has(h, ROLE_INTERCEPT)) && !h->global;
}

/* ---- contracts_interceptors.c ---- */

/* The prefix of a client as its interceptors, in whatever file, leave it; NULL: there is none. */
const char *apply_interceptors(struct dataflow_context *, const struct framework *,
    const struct framework_object *, const char *prefix);

/*
 * The same of a client (null: any) that has no prefix of its own, by those that are for all of the
 * framework.
 */
const char *apply_global_interceptors(struct dataflow_context *, const struct framework *,
    struct expression client, const char *prefix);

/*
 * Whether what a spot says for all of a framework is said of such a client: of the module of that
 * name (axios.defaults), or of any.
 */
bool global_applies_to_client(
    const struct framework_match *, const struct contract_file *in, struct expression client);

/* Whether the spot speaks of it. */
bool match_concerns_object(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, const struct framework_object *);

/* Whether the spot says which service a name stands for. */
static inline bool names_service(const struct framework_match *h)
{
	return has(h, ROLE_SERVICE) && has(h, ROLE_CLASS) && !has(h, ROLE_SCOPE) && !has(h, ROLE_SITE);
}

/* Whether a field of the file is called so. */
bool names_field(const struct contract_file *, TSNode name);

/*
 * The frameworks of a language; NULL: the tree is not to be queried.  contracts_detect says which
 * of them a text speaks of.
 */
struct framework *contracts_frameworks(struct contracts *, const struct syntax_tree *);

/* The framework of another file that is the same, or NULL. */
const struct framework *framework_in_file(const struct contract_file *, const struct framework *);
#endif

#ifndef SHARD_CONTRACTS_FRAMEWORK_OBJECTS_H
#define SHARD_CONTRACTS_FRAMEWORK_OBJECTS_H
/*
 * Objects of frameworks: applications, routers, groups and clients, and the prefixes that they
 * have. The files of contracts_internal.h, which compose the facts of a site, use this module.
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

/* Whether the match gives a prefix. */
static inline bool prefixed(const struct framework_match *h)
{
	return has(h, ROLE_PREFIX) || h->prefix || h->keys[ROLE_PREFIX];
}

/* The text of that prefix; "" if it is unknown.  The calls, or NULL, give parameters values. */
const char *framework_match_prefix(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, const struct call_frame *);

/*
 * An application, router, group or client, identified by the expression that creates it or a name.
 */
struct framework_object {
	struct contract_file *in;
	uint32_t at;		/* the byte of that expression, plus one; 0: identified by name */
	const char *name;	/* without `this.` or `self.`; NULL if there is none */
	TSNode node;		/* the name's node, if `at` is 0 */
	/* a type derived from the one around the expression: each of them has an object of its own */
	struct type_ref self;
	/* the calls that made the object it belongs to, if known, and the one that made that: new X() */
	const struct call_frame *given;
	struct expression maker;
};

/* Whether two objects are known to belong to different objects of a type. */
static inline bool made_apart(const struct framework_object *a, const struct framework_object *b)
{
	if (!a->maker.in || !b->maker.in)
		return false;
	return a->maker.in != b->maker.in || !ts_node_eq(a->maker.n, b->maker.n);
}

enum { MAX_FRAMEWORK_OBJECTS = 16, MAX_PREFIXES = 16, OBJECTS_DEEP = 8, OBJECT_BUDGET = 4000 };

struct framework_object_list {
	struct framework_object v[MAX_FRAMEWORK_OBJECTS];
	size_t n;
};

/*
 * What identifies an object by the expression that makes it: its first byte, plus one, or that of the
 * method's name where a chain of calls makes several objects: MapGroup("/a").MapGroup("/b").
 */
uint32_t framework_object_place(const struct syntax_tree *, TSNode made);

/* Add an object once, if there is room. */
void framework_object_add(struct framework_object_list *, struct framework_object);

struct prefixes {
	const char *v[MAX_PREFIXES];
	size_t n;
};

/*
 * The first call, `Router().use(x)`, of a chain of calls that all return the object that they are
 * called on; else the expression itself. To follow each call of a long chain would take too long.
 */
struct expression skip_fluent_calls(struct expression);

/* What stands for the objects of the type around a node, the innermost one. */
struct framework_object framework_type_object(struct contract_file *, TSNode);

/* The objects that an expression may be; an unknown one is identified by its name. */
void framework_objects_of(
    struct dataflow_context *, struct expression, struct framework_object_list *out);

/* The text of a name without `this.` or `self.`; NULL: it is too long. */
const char *framework_object_name(struct dataflow_context *, struct expression);

/* Add a function, class or module, or a field or variable, which is known by its name. */
void framework_object_of_definition(const struct origin *, struct framework_object_list *out);

/* ---- framework_bindings.c ---- */

/* The same for the expression that a match binds, or for a member of the module that it binds. */
void framework_objects_bound_by(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, const struct call_frame *, struct framework_object_list *out);

/* Whether two objects that are identified by expressions are the same, or may be by name. */
static inline bool framework_object_is(
    const struct framework_object *a, const struct framework_object *b)
{
	return a->in == b->in && a->at == b->at && a->self.in == b->self.in &&
	    (!a->self.in || a->self.type == b->self.type) && !made_apart(a, b);
}

/* Whether the list contains the object, or that of all types which it is derived from. */
bool framework_objects_contain(struct dataflow_context *, const struct framework_object_list *,
    const struct framework_object *);

/*
 * Whether the match is known to have only one view, which gives nothing a value.  The second keeps
 * that until the context ends; `unknown`: another file may know more.
 */
bool has_plain_view(struct dataflow_context *, const struct framework_match *);
void remember_plain_view(struct dataflow_context *, const struct framework_match *, bool unknown);

/* Whether the file itself creates the match's object: it is no import and no parameter. */
bool object_created_in_file(
    struct dataflow_context *, struct contract_file *in, const struct framework_match *);

static inline bool same_expression(const struct expression *a, const struct expression *b)
{
	return a->in == b->in && a->n.id == b->n.id && a->given == b->given;
}

/*
 * A place from which a mount is seen: calls of the function around it, which give its parameters
 * values, or an element of the list that the function is called for.
 */
struct mount_view {
	const struct call_frame *given;
	TSNode each;
	struct expression element;
};

enum { MAX_MOUNT_VIEWS = 64 };

struct mount_view_list {
	struct mount_view v[MAX_MOUNT_VIEWS];
	size_t n;
};

/* All places from which a mount is seen, at least one. */
void framework_mount_views(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, struct mount_view_list *out);

/* The objects that a match binds in one view of it. */
void framework_objects_in_view(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, const struct mount_view *, struct framework_object_list *out);

/* Whether the framework creates the object. */
bool is_framework_object(
    struct dataflow_context *, const struct framework *, const struct framework_object *);

/*
 * Whether a global match is about the framework: its object, where it must be one (`global "held"`),
 * is made by the framework or holds what is, as a servlet holder does.
 */
bool serves_framework(struct dataflow_context *, const struct framework *, struct contract_file *in,
    const struct framework_match *);

/* Add the prefixes of the object's routes to `out`, each once; "" if it has none. */
void framework_object_prefixes(struct dataflow_context *, const struct framework *,
    const struct framework_object *, struct prefixes *out);

/* Add a prefix, once. */
void prefixes_add(struct prefixes *, const char *);
/*
 * Append the prefixes of the scopes around a mount to each of `out`, except those of scopes that
 * are objects.
 */
void scopes_around(struct dataflow_context *, struct contract_file *,
    const struct framework_matches *, const struct framework_match *mount, struct prefixes *out);

/* Both paths with a slash between them; if one is "", the other. */
const char *path_join(struct arena *, const char *before, const char *after);

/* What the framework's queries find in another file; NULL if its language lacks the framework. */
struct framework_matches *framework_matches_in_file(
    struct contract_file *in, const struct framework *);

/* Whether the match gives versions. */
static inline bool versioned(const struct framework_match *h)
{
	return has(h, ROLE_VERSION) || h->keys[ROLE_VERSION];
}

/*
 * The node of a prefix for all of a framework, or (`versions`) of how versions are written in
 * paths; a null node if the match gives none.
 */
static inline TSNode framework_global_node(const struct framework_match *h, bool versions)
{
	if (!h->global || versioned(h) != versions)
		return (TSNode){ 0 };
	if (versions)
		return h->node[ROLE_OPTIONS];
	return h->node[ROLE_PREFIX];
}

/* The name under which global versions are stored for other files; prefixes have no name. */
#define VERSIONS_NAME "@versions"

/* The name under which global interceptors are stored for other files. */
#define INTERCEPTS_NAME "@intercepts"

/* What follows the name of a framework if some of its objects are those of a type (facts.h: binds). */
#define TYPES_NAME "@types"

/*
 * Whether the match registers a function that receives each request of a client before it is sent.
 */
static inline bool intercepts(const struct framework_match *h)
{
	return has(h, ROLE_INTERCEPT) && !h->global;
}

/* Whether the match tells what an object of the framework is. */
static inline bool binds_object(const struct framework_match *h)
{
	return !has(h, ROLE_SITE) && !intercepts(h) && (has(h, ROLE_INSTANCE) || has(h, ROLE_BIND));
}

/* Whether the match mounts or changes an object, which may be of another file. */
static inline bool links_objects(const struct framework_match *h)
{
	return has(h, ROLE_BIND) && (has(h, ROLE_OBJECT) || has(h, ROLE_INTERCEPT)) && !h->global;
}

/* ---- contracts_interceptors.c ---- */

/* The prefix of a client after its interceptors, in any file, have changed it; or NULL. */
const char *apply_interceptors(struct dataflow_context *, const struct framework *,
    const struct framework_object *, const char *prefix);

/*
 * The same for a client (null: any) without a prefix of its own, after the interceptors for all of
 * the framework.
 */
const char *apply_global_interceptors(struct dataflow_context *, const struct framework *,
    struct expression client, const char *prefix);

/*
 * Whether a global match applies to the client: it is for the module with that name
 * (axios.defaults), or for any client.
 */
bool global_applies_to_client(
    const struct framework_match *, const struct contract_file *in, struct expression client);

/* Whether the match is about the object. */
bool match_concerns_object(struct dataflow_context *, struct contract_file *in,
    const struct framework_match *, const struct framework_object *);

/* Whether the match registers a service under a name. */
static inline bool names_service(const struct framework_match *h)
{
	return has(h, ROLE_SERVICE) && has(h, ROLE_CLASS) && !has(h, ROLE_SCOPE) && !has(h, ROLE_SITE);
}

/* Whether a field of the file has the name. */
bool names_field(const struct contract_file *, TSNode name);

/*
 * The frameworks of a language; NULL if the tree is too deep to be queried.  contracts_detect tells
 * which of them a text uses.
 */
struct framework *contracts_frameworks(struct contracts *, const struct syntax_tree *);

/* The same framework in another file's language, or NULL. */
const struct framework *framework_in_file(const struct contract_file *, const struct framework *);
#endif

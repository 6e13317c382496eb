#ifndef SHARD_CONTRACTS_CONTRACTS_INTERNAL_H
#define SHARD_CONTRACTS_CONTRACTS_INTERNAL_H
/*
 * The parts of contracts: what queries find (contracts_spots), a site of all its matches (_sites),
 * paths (_paths), what types have from others (_types), what lies above a site (_scopes,
 * _prefixes, _global, _intercepts), its facts as seen from one place (_make).
 */

#include "shard/contracts/framework_objects.h"

struct parse_budget;

enum { MAX_RAW = 200, MAX_PATHS = 16, MAX_VERBS = 10, MAX_WRAPPERS = 3, MAX_BASES = 4 };

/* The frameworks of a language. */
struct contracts {
	struct arena *arena;
	struct frameworks all;
};

/* One path of a site. */
struct path_part {
	TSNode node;		/* null: the empty path */
	const char *keys;	/* not NULL: of the object that the node is */
	TSNode base;		/* what comes before it; null: nothing */
	const char *prefix, *append;	/* NULL */
	const char *style;	/* how the node's text is written; NULL: as it is */
	const char *setting;	/* its value is the text, @ in it what the text was; NULL */
	bool word, otherwise;	/* otherwise: the text as it is where the setting is not given */
};

/* What all matches of one site say together: every method with every path. */
struct contract_site {
	TSNode node, object, handler;
	TSNode service;		/* null: none of its own */
	TSNode version;		/* null: none of its own */
	TSNode rewrite;		/* what a gateway does to the path; null: nothing */
	/* of a topic: what its key is of, what gets its messages; null: not said */
	TSNode exchange, queue;
	struct path_part path[MAX_PATHS];
	/* keys: of the object that the node is; NULL */
	struct { const char *verb, *keys; TSNode node; } method[MAX_VERBS];
	int npaths, nmethods;
	const char *style, *fallback, *action;
	bool anyone, foreign, bare, answers, derived, called, absolute, open;
};

/*
 * From where a site is seen: where it stands, or a call of the function around it, or of the one
 * around that.
 */
struct site_context {
	struct expression at;			/* its calls give the parameters */
	/* what the object is whose method that is, as far as it is known to be of a derived type */
	struct type_ref self;
	int depth;			/* calls on the way */
	struct { struct contract_file *in; TSNode function; struct expression call; } by[MAX_WRAPPERS];
};

/* A type, and where its framework's spots are. */
struct framework_type {
	struct contract_file *in;
	const struct framework_matches *spots;
	const struct definition *d;
};

/* One framework's facts of a file, while they are made. */
struct fact_builder {
	const struct framework *fw;
	struct contract_file *in;
	struct framework_matches *spots;
	struct arena *a;
	struct dataflow_context ask;
	struct url_steps steps;
	struct fact_list *out;
	bool provides, open;
	const struct framework_type *under;	/* the type that says what the sites of another say; NULL */
};

/* What is found for a site in one view. */
struct site_fact {
	struct fact fact;
	bool parameter;		/* a caller of the function around says more ... */
	bool structure;		/* ... and without that it is no path */
	/* options that a caller gives, so that nothing at all is known here */
	bool options_unknown;
};

struct site_fact_list {
	struct site_fact *v;
	size_t n, cap;
};

/* ---- contracts_matches.c ---- */

/*
 * A query that does not compile is a mistake in this program: said once, and its framework is not
 * seen.
 */
bool framework_compile_once(struct framework *f, struct parse_budget *effort);

/* ---- contracts_sites.c ---- */

/*
 * A verb out of `get`, `RequestMethod.POST`, `PatchMapping`, `postForObject`, `GetAsync`, `del`,
 * `all`; NULL: none.
 */
const char *verb_in(const char *s);

/* The piece of a path or prefix that a spot says. */
struct path_part path_part_of(const struct framework_match *h, enum role r);

/* Gather all that the matches from `first` on say of one site. */
void site_read(const struct contract_file *in, const struct framework_matches *spots, size_t first,
    struct contract_site *s);

/* What stands there, cut to MAX_RAW bytes. */
const char *node_raw(const struct syntax_tree *t, TSNode n, struct arena *a);

/*
 * Who answers: the handler, a method of it when it is a class, or the definition around the site.
 */
const char *site_symbol(const struct contract_file *r, const struct contract_site *s,
    const struct contract_site *answer);

/* Whether an earlier match has the same site, which then was composed with it. */
bool site_composed(const struct framework_matches *s, size_t i);

/* ---- contracts_paths.c ---- */

/*
 * The path of a route, of a request: into f->path, with host, method and reason where the text
 * says them.  False: it is none.
 */
bool fact_provides(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);
bool fact_consumes(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);

/* What a gateway at `text` sends on to `prefix`: into f->path, host and to. */
bool fact_forwards(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);

/*
 * A queue or topic: its name as it is, and its exchange; who listens to what is not known says
 * nothing.  A topic that is sent on to a queue of which nothing is known is listened to where that
 * is said.
 */
bool fact_topic(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, const char *prefix, const char *text, struct fact *f);

/*
 * The member of an object that is the first of `keys`, separated by blanks; of no keys the term
 * itself.
 */
struct expression expression_member(
    struct dataflow_context *a, struct expression t, const char *keys);

/* What an expression says, with holes. */
const char *expression_text(struct dataflow_context *a, struct expression t);

/* The text of a piece; NULL: it is the member of an object that has none. */
const char *path_part_text(struct dataflow_context *a, struct contract_file *in,
    const struct path_part *p, const struct call_frame *given);

/* ---- contracts_types.c ---- */

/* The innermost type around a node, or NULL. */
const struct definition *enclosing_type(const struct contract_file *in, TSNode n);

/* Whether the spot's scope is the type. */
bool scope_is_type(
    const struct contract_file *in, const struct framework_match *p, const struct definition *d);

/* Whether a type answers only where others are derived from it. */
bool type_abstract(const struct contract_file *in, const struct definition *d);

/* The type of that name in the file, or NULL. */
const struct definition *type_named(const struct contract_file *in, const char *name);

/*
 * The type that a node names, the one that a spot calls a base; false: it is none of this
 * repository.
 */
bool type_resolve(
    struct fact_builder *c, struct contract_file *in, TSNode, struct framework_type *out);
bool type_base(struct fact_builder *c, struct contract_file *in, const struct framework_match *p,
    struct framework_type *out);

/* The prefixes that a type, else its bases, has; whether there are any. */
bool type_prefixes(
    struct fact_builder *c, const struct framework_type *t, int depth, struct prefixes *out);

/* ---- contracts_scopes.c ---- */

/*
 * Put the prefixes of the scopes that a site stands in behind those of `out`; whether there are
 * any.
 */
bool scope_prefixes(struct fact_builder *c, const struct contract_site *s, struct prefixes *out);

/* ---- contracts_prefixes.c ---- */

/* Every one of these with every one of those behind it. */
void prefixes_join(struct prefixes *to, const struct prefixes *with, struct arena *a);

/* What an object of a site or scope may be, and which of that the framework makes. */
struct site_object {
	struct framework_object_list of;
	bool is[MAX_FRAMEWORK_OBJECTS];
};

/* Fill `out`; whether the framework makes any of it. */
bool object_find(
    struct fact_builder *c, TSNode object, const struct call_frame *given, struct site_object *out);

/* Add what it is mounted on.  `inside`: there is a scope that says more than a name. */
void object_prefixes(
    struct fact_builder *c, const struct site_object *, bool inside, struct prefixes *out);

/* All that comes before the site's paths; nothing when its object is none of the framework's. */
void site_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out);

/* ---- contracts_global.c ---- */

/*
 * The prefix that is for all of the framework's sites, but for some; NULL: none for this one,
 * which lies below `below`.
 */
const char *global_prefix(struct fact_builder *, const struct contract_site *,
    const struct call_frame *, const struct prefixes *below);

/* The versions, as segments of a path, that the site has; none when paths have none. */
void global_versions(struct fact_builder *, const struct contract_site *, struct prefixes *out);

/* ---- contracts_graphql.c ---- */

/*
 * Whether the framework's matches say something of GraphQL that bind_handlers_graphql.c joins;
 * what they say, at the end of c->out.
 */
bool framework_is_graphql(const struct framework *);
void graphql_make_facts(struct fact_builder *c);

/* ---- contracts.c ---- */

/* Put a fact among those of the file, once. */
void fact_builder_put(struct fact_builder *c, const struct fact *);

/* ---- contracts_facts.c ---- */

/* The facts of a site as they are seen from there, at the end of `out`. */
void site_make_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out);

/* ---- contracts_views.c ---- */

/*
 * The same, or in their place those as callers of the function around see them, or derived types,
 * when these say more.
 */
void site_facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out);

#endif

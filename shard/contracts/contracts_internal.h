#ifndef SHARD_CONTRACTS_CONTRACTS_INTERNAL_H
#define SHARD_CONTRACTS_CONTRACTS_INTERNAL_H
/*
 * The parts of contracts: what queries find (contracts_matches), a site from all its matches
 * (_sites), paths (_paths), what types inherit (_types), the prefixes of a site (_scopes,
 * _prefixes, _global, _interceptors), its methods (_methods), its facts as seen from one place
 * (_facts), from the class that handles it (_answers) or by callers (_views).
 */

#include "shard/contracts/framework_objects.h"

struct parse_budget;

enum { MAX_RAW = 200, MAX_PATHS = 16, MAX_VERBS = 10, MAX_WRAPPERS = 8, MAX_BASES = 4 };

/* The frameworks of a language. */
struct contracts {
	struct arena *arena;
	struct frameworks all;
};

/* One path of a site. */
struct path_part {
	TSNode node;		/* null: the empty path */
	const char *keys;	/* not NULL: the member of the node's object */
	TSNode base;		/* what comes before it; or null */
	const char *prefix, *append;	/* or NULL */
	const char *style;	/* how the node's text is written (route_syntax.h), or NULL */
	const char *setting;	/* the text is this setting's value; @ in it stands for the old text */
	bool continues;		/* comes behind the site's other path */
	bool only;		/* it counts only if the type has no prefix from an annotation */
	bool word, otherwise;	/* otherwise: without the setting, the text stays as it is */
};

/* One site, from all its matches: every method with every path. */
struct contract_site {
	TSNode node, object, handler;
	TSNode service;		/* null if it has none of its own */
	TSNode version;		/* null if it has none of its own */
	TSNode rewrite;		/* how a gateway changes the path; or null */
	TSNode exchange, queue;	/* of a topic; or null */
	struct path_part path[MAX_PATHS];
	/* keys: the member of the node's object; or NULL */
	struct { const char *verb, *keys; TSNode node; } method[MAX_VERBS];
	int npaths, nmethods;
	const char *style, *fallback, *action;
	const char *passed;	/* the object is a function value (lang/PROPERTIES.md); or NULL */
	bool anyone, foreign, bare, answers, derived, called, absolute, open, sure;
	bool prefixed;		/* not of a type without a prefix */
	bool mounted;		/* its prefix is partial if no scope is around it */
};

/*
 * The place from which a site is seen: its own, or a call of the function around it, or of the
 * function around that call.
 */
struct site_context {
	struct expression at;			/* its calls give the parameters */
	struct type_ref self;		/* the type of the object, if a derived type is known */
	int depth;			/* the number of calls in `by` */
	bool stays;			/* the fact stands at the site all the same */
	const struct call_frame *object; /* what makes the object that the site is of; or NULL */
	struct {
		struct contract_file *in;
		TSNode function;
		struct expression call;
		struct type_ref self;	/* the type of the object that is called ... */
		bool own;		/* ... which is the caller's own */
	} by[MAX_WRAPPERS];
};

/* A type, and the framework's matches in its file. */
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
	unsigned views;		/* of callers, so far */
	bool bound;		/* the framework makes the object of the site in view */
	const struct framework_type *under;	/* the type that inherited sites count for; or NULL */
	bool at_type;		/* they stand where that type is */
	/* the path of the site in view that was evaluated last, and what is not known of it */
	struct {
		const struct path_part *of;
		const char *text;
		struct value_gap gap;
		struct expression loop, element; /* dataflow_context.loop, loop_element */
	} path;
};

/* A fact of a site in one view. */
struct site_fact {
	struct fact fact;
	bool parameter;		/* a caller of the function around it knows more ... */
	bool structure;		/* ... without which there is no path */
	bool vague;		/* a caller gives the whole path below the prefix */
	bool based;		/* a caller only knows what comes before a route's path */
	/* a caller passes all options, or the function that is called, so nothing is known here */
	bool hidden;
};

struct site_fact_list {
	struct site_fact *v;
	size_t n, cap;
};

/* ---- contracts_matches.c ---- */

/* Compile the queries of a framework.  False: they are broken, which is logged once. */
bool framework_compile_once(struct framework *f, struct parse_budget *effort);

/* ---- contracts_sites.c ---- */

/*
 * A verb out of `get`, `RequestMethod.POST`, `PatchMapping`, `postForObject`, `GetAsync`, `del`,
 * `all`; NULL: none.
 */
const char *verb_in(const char *s);

/* The path or the prefix that a match gives. */
struct path_part path_part_of(const struct framework_match *h, enum role r);

/* Collect all matches of one site, from `first` on. */
void site_read(const struct contract_file *in, const struct framework_matches *spots, size_t first,
    struct contract_site *s);

/* The node's text, cut to MAX_RAW bytes. */
const char *node_raw(const struct syntax_tree *t, TSNode n, struct arena *a);

/* The symbol of the handler, a method of a handler class, or the definition around the site. */
const char *site_symbol(const struct contract_file *r, const struct contract_site *s,
    const struct contract_site *answer);

/* Whether an earlier match has the same site, so that the site was composed before. */
bool site_composed(const struct framework_matches *s, size_t i);

/* ---- contracts_annotations.c ---- */

/*
 * Add to a site what the type of its annotation, the match's @class, says: methods, and paths if it
 * has none.  False: the type is not of this repository, or says no method.
 */
bool annotation_add(struct fact_builder *, const struct framework_match *, struct contract_site *);

/* Whether the annotation of a match at a function says a method. */
bool annotation_is_route(
    struct fact_builder *, struct contract_file *, const struct framework_match *);

/* Add the prefixes that the annotation of a match at a type says; whether there are any. */
bool annotation_prefixes(struct fact_builder *, struct contract_file *,
    const struct framework_match *, struct prefixes *out);

/* ---- contracts_values.c ---- */

/*
 * The method that a site calls as a value: of one of the names that the site allows.  False: it is
 * none, or is not known (`out->parameter`: but to callers).
 */
struct method_value;
bool site_method_value(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct method_value *out);

/* ---- contracts_paths.c ---- */

/*
 * Set f->path of a route or a request, and host, method and reason if the text contains them.
 * False: there is no path.
 */
bool fact_provides(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);
bool fact_consumes(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);

/* Set f->path, host and to of what a gateway at `text` forwards to `prefix`. */
bool fact_forwards(struct fact_builder *c, const struct contract_site *s, const char *prefix,
    const char *text, struct fact *f);

/*
 * Set the name and the exchange of a queue or topic.  A consumer of an unknown name has no fact.  A
 * topic that is forwarded to an unknown queue is provided at the place of the binding.
 */
bool fact_topic(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, const char *prefix, const char *text, struct fact *f);

/*
 * The member of an object with the first of `keys`, separated by blanks; without keys, the object.
 */
struct expression expression_member(
    struct dataflow_context *a, struct expression t, const char *keys);

/* The text of an expression, with holes. */
const char *expression_text(struct dataflow_context *a, struct expression t);

/* The text of a path's part; NULL: it is a member that the object lacks. */
const char *path_part_text(struct dataflow_context *a, struct contract_file *in,
    const struct path_part *p, const struct call_frame *given);

/* ---- contracts_types.c ---- */

/* The innermost type around a node, or NULL. */
const struct definition *enclosing_type(const struct contract_file *in, TSNode n);

/* Whether the match's scope is the type. */
bool scope_is_type(
    const struct contract_file *in, const struct framework_match *p, const struct definition *d);

/* Whether a type is abstract, so that only types derived from it have routes. */
bool type_abstract(const struct contract_file *in, const struct definition *d);

/* The type of that name in the file, or NULL. */
const struct definition *type_named(const struct contract_file *in, const char *name);

/* The number of a type in its file, or -1. */
int type_index(const struct contract_file *in, const struct definition *d);

/*
 * The type that a node names, perhaps without the `ending` of its name; the base that a match names.
 * False: it is not of this repository.
 */
bool type_resolve(struct fact_builder *c, struct contract_file *in, TSNode, const char *ending,
    struct framework_type *out);
bool type_base(struct fact_builder *c, struct contract_file *in, const struct framework_match *p,
    struct framework_type *out);

/* Whether the type has no prefix but one derived from it has, so that only that has the routes. */
bool type_is_only_base(struct fact_builder *c, const struct framework_type *t);

/* Add the prefixes of a type, else of its bases; whether there are any. */
bool type_prefixes(
    struct fact_builder *c, const struct framework_type *t, int depth, struct prefixes *out);

/* ---- contracts_scopes.c ---- */

/* Append the prefixes of the scopes around a site to those of `out`; whether there are any. */
bool scope_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out);

/* ---- contracts_prefixes.c ---- */

/* Replace `to` by each of its prefixes with each of `with` appended. */
void prefixes_join(struct prefixes *to, const struct prefixes *with, struct arena *a);

/* The objects that an expression of a site or scope may be, and which the framework creates. */
struct site_object {
	struct framework_object_list of;
	bool is[MAX_FRAMEWORK_OBJECTS];
};

/* Fill `out`; whether the framework creates any of the objects. */
bool object_find(struct fact_builder *c, struct expression object, struct site_object *out);

/* Add the objects' prefixes.  `inside`: there is a scope, which tells more than a name. */
void object_prefixes(
    struct fact_builder *c, const struct site_object *, bool inside, struct prefixes *out);

/* The prefixes of the site's paths; none if its object is not the framework's. */
void site_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out);

/* ---- contracts_global.c ---- */

/*
 * The prefix of all the framework's sites, which may exclude some; NULL: there is none for this
 * site, whose prefixes are `below`.
 */
const char *global_prefix(struct fact_builder *, const struct contract_site *,
    const struct call_frame *, const struct prefixes *below);

/* The versions of the site, as segments of a path; none if paths contain no versions. */
void global_versions(struct fact_builder *, const struct contract_site *, struct prefixes *out);

/* ---- contracts_graphql.c ---- */

/*
 * Whether the framework's matches are facts for bind_handlers_graphql.c; append them to c->out.
 */
bool framework_is_graphql(const struct framework *);
void graphql_make_facts(struct fact_builder *c);

/* ---- contracts.c ---- */

/* Add a fact to those of the file, once. */
void fact_builder_put(struct fact_builder *c, const struct fact *);

/* ---- contracts_methods.c ---- */

struct method {
	const char *verb;
	bool unknown, parameter;
};

/* The methods of a site: those that are known, and what is known of the others. */
struct methods {
	struct method v[MAX_VERBS + 1];
	int n;
	bool stated, unknown, parameter;
};

/*
 * The methods of a site in the file `in`.  An unknown method counts as ANY if there is no other.
 */
void site_methods(struct fact_builder *c, struct contract_file *in, const struct contract_site *s,
    const struct call_frame *given, struct methods *l);

/* ---- contracts_facts.c ---- */

/* The calls through which a site is seen, which give parameters values; NULL: its own place. */
const struct call_frame *call_frames_of(struct fact_builder *c, const struct site_context *w);

/* One path of a site, and what the class that handles it adds. */
struct site_path {
	const struct path_part *path;
	const char *below;		/* the path of the class's own site, or "" */
	struct contract_file *in;	/* the file of that site */
	const struct contract_site *answer;	/* that site; NULL: the site itself */
	struct value_gap gap, method_gap;	/* what is not known of the path and the method */
};

/* The facts of one path: each method below each prefix. */
void site_path_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out);

/*
 * Whether the calls through which the site is seen do not reach it, as their arguments decide
 * conditions (known_conditions.h).
 */
bool site_is_unreachable(
    struct fact_builder *c, const struct contract_site *s, const struct site_context *w);

/* Append the facts of a site, as seen from one place, to `out`. */
void site_make_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out);

/*
 * The text of a path of the site in view, which is evaluated once; NULL: there is none.  `gap`, or
 * NULL: what is not known of it.
 */
const char *site_path_text(struct fact_builder *c, const struct path_part *,
    const struct call_frame *given, struct value_gap *gap);

/* ---- contracts_answers.c ---- */

/* The facts of the class that handles a site; false: it has none. */
bool site_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out);

/* ---- contracts_local_calls.c ---- */

/* The calls of a function that only a local variable names: into `out`, `max` at most; how many. */
size_t calls_of_local_function(
    struct contract_file *, TSNode function, struct expression *out, size_t max);

/*
 * The calls of a function that calls are given as an argument, by those that they call:
 * `mount(add)` where mount calls its parameter.  `name`: of a function that has one, or NULL.
 */
size_t calls_of_given_function(struct dataflow_context *, struct contract_file *, TSNode function,
    const char *name, struct expression *out, size_t max);

/* ---- contracts_views.c ---- */

/*
 * The same; if callers of the function around the site, or derived types, tell more, their facts
 * instead.
 */
void site_facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out);

/*
 * Remove routes of which the code knows less than of another alternative: below a prefix that is
 * empty unless a setting gives one.
 */
void prefixes_drop_unknown(struct fact_list *);
#endif

#ifndef PROTO_RECORD_RECORD_H
#define PROTO_RECORD_RECORD_H
/*
 * Records: structs with a table that describes them, so that one codec (codec.h), one JSON mapping
 * (json.h) and one dispatch serve every message.  The wire's records are in schema.def, the tools'
 * in coordinator/records/tools.def.  Each table becomes structs in a header, by macros like those
 * below, and descriptors in one .c file (record_tables.h).
 *
 * A row:  FIELD(record, type, name, rule, "doc")      one value; type as in the typedefs t_*
 *         SUB  (record, sub,  name, rule, "doc")      a nested record by pointer; NULL is absent
 *         LIST (record, sub,  name, rule, "doc")      any number of nested records: .v, .n
 * Rules:  MUST         required in input; always present in output
 *         MAY          optional in input; omitted from output when zero, NULL or empty
 *         NUL          like MAY, but null in output
 *         DEF(v)       optional in input with the default v (its JSON); always present in output
 *         IN(lo,hi,v)  the same with bounds
 *         ONEOF(s)     MAY, one of the words in s, separated by |
 *         ONEOF_DEF(s,v)  the same with a default
 *         ONE_OR_MORE  of texts: MAY; in input a single text stands for a list of one
 *         MAY_PATHS, MUST_PATHS, NUL_PATHS: text that may contain paths of a machine, which are
 *                      hidden from callers without the right to see them
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const void *p;
	size_t n;
};

struct strs {
	const char **v;
	size_t n;
};

struct arena;

/* "a, b, c"; "" for an empty list. */
const char *strs_join(const struct strs *, struct arena *);

#define SEARCH_NOT 1e300	/* in a `least_` field of search_req: that list is not needed */

typedef const char *t_str;	/* NULL is absent */
typedef const char *t_json;	/* raw JSON text; NULL is absent */
typedef uint64_t t_u64;
typedef int64_t t_i64;
typedef double t_f64;
typedef bool t_flag;
typedef struct bytes t_bytes;
typedef struct strs t_strs;

enum type { T_str, T_json, T_u64, T_i64, T_f64, T_flag, T_bytes, T_strs, T_sub, T_list };

struct rule {
	bool must, null;
	bool bounded;
	int64_t lo, hi;
	const char *def;	/* JSON text */
	const char *oneof;
	bool has_paths;
	bool or_one;
};

/* Whether every output contains the field, even if it is empty. */
static inline bool rule_always(const struct rule *r)
{
	return r->must || r->null || r->def;
}

struct field {
	const char *name, *doc;
	enum type type;
	size_t off;
	const struct record *of;	/* T_sub, T_list: the element */
	struct rule rule;
};

struct record {
	const char *name;
	const struct field *fields;
	size_t nfields, size;
};

/* The layout of T_list fields, without the element type. */
struct any_list {
	void *v;
	size_t n;
};

#define MUST                { .must = true }
#define MAY                 { .must = false }
#define NUL                 { .null = true }
#define DEF(v)              { .def = v }
#define IN(lo_, hi_, v)     { .bounded = true, .lo = lo_, .hi = hi_, .def = v }
#define ONEOF(s)            { .oneof = s }
#define ONEOF_DEF(s, v)     { .oneof = s, .def = "\"" v "\"" }
#define MUST_PATHS         { .must = true, .has_paths = true }
#define ONE_OR_MORE                                                                                \
	{                                                                                              \
		.or_one = true                                                                             \
	}
#define MAY_PATHS          { .has_paths = true }
#define NUL_PATHS          { .null = true, .has_paths = true }

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define SUB(r, t, f, rule, d)   struct t *f;
#define LIST(r, t, f, rule, d)  struct { struct t *v; size_t n; } f;
#define END(r)                  }; extern const struct record rec_##r;
#include "proto/record/schema.def"

/* The shards' RPCs, in the order of schema.def. */
enum rpc_id {
#define RPC(name, req, res, writes, doc) RPC_##name,
#include "proto/record/schema.def"
	NRPCS
};

/* `reason` of an external_use: its library's indexed commit no longer has the symbol. */
#define USE_GONE "gone at head"

struct rpc {
	const char *name;
	const struct record *req, *res;
	bool writes;
	const char *doc;
};

extern const struct rpc rpcs[NRPCS];

/* The RPC called `name`, or NRPCS. */
enum rpc_id rpc_id(const char *name);
#endif

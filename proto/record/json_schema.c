#include <string.h>

#include "proto/base/buf.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

/* maximum number of entries below $defs; further records are written inline */
enum { SCHEMA_DEFS_MAX = 32 };

static void schema_words(const char *words, struct buf *out)
{
	const char *sep = "";

	buf_str(out, ",\"enum\":[");
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, "|");
		buf_printf(out, "%s\"%.*s\"", sep, (int)n, w);
		w += n + (w[n] == '|');
		sep = ",";
	}
	buf_byte(out, ']');
}

/* The records of a schema, counted: one that occurs more than once is written once, below $defs. */
struct schema_defs {
	const struct record *v[SCHEMA_DEFS_MAX];
	int times[SCHEMA_DEFS_MAX];
	size_t n;
};

static void schema_object(
    const struct record *, bool input, const struct schema_defs *, struct buf *out);

static void count(const struct record *r, struct schema_defs *s)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct record *of = r->fields[i].of;
		size_t k = 0;
		if (!of)
			continue;
		while (k < s->n && s->v[k] != of)
			k++;
		if (k < s->n) {
			s->times[k]++;
			continue;
		}
		count(of, s);
		if (s->n < SCHEMA_DEFS_MAX) {
			s->v[s->n] = of;
			s->times[s->n++] = 1;
		}
	}
}

static bool is_shared(const struct record *r, const struct schema_defs *s)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->v[k] == r)
			return s->times[k] > 1;
	return false;
}

/* Writes a nested record, or a reference to it, without the closing brace. */
static void open_nested(
    const struct record *r, bool input, const struct schema_defs *s, struct buf *out)
{
	if (is_shared(r, s)) {
		buf_printf(out, "{\"$ref\":\"#/$defs/%s\"", r->name);
	} else {
		schema_object(r, input, s, out);
		out->n--;
	}
}

static const char *const types[] = {
	[T_str] = "string",
	[T_u64] = "integer",
	[T_i64] = "integer",
	[T_f64] = "number",
	[T_flag] = "boolean",
	[T_bytes] = "string",
	[T_strs] = "array",
	[T_list] = "array",
	[T_sub] = "object",
};

static void schema_type(
    const struct field *f, bool input, const struct schema_defs *s, struct buf *out)
{
	if (f->rule.null && !input)
		buf_printf(out, "\"type\":[\"%s\",\"null\"]", types[f->type]);
	else if (f->rule.or_one && input)
		buf_str(out, "\"type\":[\"string\",\"array\"]");
	else
		buf_printf(out, "\"type\":\"%s\"", types[f->type]);
	if (f->rule.oneof)
		schema_words(f->rule.oneof, out);
	if (input && f->rule.bounded)
		buf_printf(out, ",\"minimum\":%lld,\"maximum\":%lld", (long long)f->rule.lo,
		    (long long)f->rule.hi);
	else if (input && f->type == T_u64)
		buf_str(out, ",\"minimum\":0");
	if (f->type == T_strs)
		buf_str(out, ",\"items\":{\"type\":\"string\"}");
	if (f->type == T_list) {
		buf_str(out, ",\"items\":");
		open_nested(f->of, input, s, out);
		buf_byte(out, '}');
	}
	if (input && f->rule.def)
		buf_printf(out, ",\"default\":%s", f->rule.def);
}

static void schema_sub(
    const struct field *f, bool input, const struct schema_defs *s, struct buf *out)
{
	bool nullable = f->rule.null && !input;

	if (nullable)
		buf_str(out, "{\"anyOf\":[");
	open_nested(f->of, input, s, out);
	if (nullable)
		buf_str(out, "},{\"type\":\"null\"}]");
	buf_byte(out, ',');
}

static void schema_field(
    const struct field *f, bool input, const struct schema_defs *s, struct buf *out)
{
	buf_printf(out, "\"%s\":", f->name);
	if (f->type == T_sub) {
		schema_sub(f, input, s, out);
	} else {
		buf_byte(out, '{');
		if (f->type != T_json) {
			schema_type(f, input, s, out);
			buf_byte(out, ',');
		}
	}
	buf_str(out, "\"description\":");
	json_quote(out, f->doc);
	buf_byte(out, '}');
}

/* Arguments require what the rule says; results what is always in the output. */
static bool is_required(const struct rule *r, bool input)
{
	if (input)
		return r->must;
	return rule_always(r);
}

/* Writes `,"required":[…]`, or nothing if no field is required. */
static void put_required(const struct record *r, bool input, struct buf *out)
{
	const char *sep = ",\"required\":[", *end = "";

	for (size_t i = 0; i < r->nfields; i++) {
		if (!is_required(&r->fields[i].rule, input))
			continue;
		buf_printf(out, "%s\"%s\"", sep, r->fields[i].name);
		sep = ",";
		end = "]";
	}
	buf_str(out, end);
}

static void schema_object(
    const struct record *r, bool input, const struct schema_defs *s, struct buf *out)
{
	buf_str(out, "{\"type\":\"object\"");
	if (r->nfields) {
		buf_str(out, ",\"properties\":{");
		for (size_t i = 0; i < r->nfields; i++) {
			if (i)
				buf_byte(out, ',');
			schema_field(&r->fields[i], input, s, out);
		}
		buf_byte(out, '}');
	}
	put_required(r, input, out);
	if (input)
		buf_str(out, ",\"additionalProperties\":false");
	buf_byte(out, '}');
}

/* Writes the $defs, if there are any, and the closing brace of the schema. */
static void put_defs(bool input, const struct schema_defs *s, struct buf *out)
{
	const char *sep = ",\"$defs\":{", *end = "}";

	for (size_t k = 0; k < s->n; k++) {
		if (s->times[k] < 2)
			continue;
		buf_printf(out, "%s\"%s\":", sep, s->v[k]->name);
		schema_object(s->v[k], input, s, out);
		sep = ",";
		end = "}}";
	}
	buf_str(out, end);
}

void json_schema(const struct record *r, bool input, struct buf *out)
{
	struct schema_defs s = { .n = 0 };

	count(r, &s);
	schema_object(r, input, &s, out);
	out->n--;	/* without the closing brace, which put_defs writes */
	put_defs(input, &s, out);
}

void json_schema_either(const struct record *r, const struct record *other, struct buf *out)
{
	struct schema_defs s = { .n = 0 };

	count(r, &s);
	count(other, &s);
	buf_str(out, "{\"type\":\"object\",\"anyOf\":[");
	schema_object(r, false, &s, out);
	buf_byte(out, ',');
	schema_object(other, false, &s, out);
	buf_byte(out, ']');
	put_defs(false, &s, out);
}

void json_schema_brief(const struct record *r, struct buf *out)
{
	const char *sep = "";

	buf_str(out, "{\"type\":\"object\",\"properties\":{");
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (!rule_always(&f->rule) || f->type == T_json)
			continue;
		buf_printf(out, "%s\"%s\":{\"type\":", sep, f->name);
		if (f->rule.null)
			buf_printf(out, "[\"%s\",\"null\"]}", types[f->type]);
		else
			buf_printf(out, "\"%s\"}", types[f->type]);
		sep = ",";
	}
	buf_str(out, "}}");
}

#include <string.h>

#include "proto/base/buf.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

/* kinds of records in one schema; further ones are written where they stand */
enum { SCHEMA_DEFS_MAX = 32 };

static void schema_words(const char *words, struct buf *out)
{
	buf_str(out, ",\"enum\":[");
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, "|");
		buf_printf(out, "%s\"%.*s\"", w == words ? "" : ",", (int)n, w);
		w += n + (w[n] == '|');
	}
	buf_byte(out, ']');
}

/* The records that stand in a schema more than once, so that each is written once, below $defs. */
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

/* A nested record without its closing brace: itself, or where it stands. */
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
	[T_str] = "string", [T_u64] = "integer", [T_i64] = "integer", [T_f64] = "number",
	    [T_flag] = "boolean",
	[T_bytes] = "string", [T_strs] = "array", [T_list] = "array", [T_sub] = "object"
};

static void schema_type(
    const struct field *f, bool input, const struct schema_defs *s, struct buf *out)
{
	if (f->rule.null && !input)
		buf_printf(out, "\"type\":[\"%s\",\"null\"]", types[f->type]);
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

static void schema_field(
    const struct field *f, bool input, const struct schema_defs *s, struct buf *out)
{
	bool nullable = f->rule.null && !input;

	buf_printf(out, "\"%s\":", f->name);
	if (f->type == T_sub) {
		buf_str(out, nullable ? "{\"anyOf\":[" : "");
		open_nested(f->of, input, s, out);
		buf_str(out, nullable ? "},{\"type\":\"null\"}],\"description\":" : ",\"description\":");
	} else if (f->type == T_json) {
		buf_str(out, "{\"description\":");
	} else {
		buf_byte(out, '{');
		schema_type(f, input, s, out);
		buf_str(out, ",\"description\":");
	}
	json_quote(out, f->doc);
	buf_byte(out, '}');
}

/* `,"required":[…]`, or nothing. */
static void put_required(const struct record *r, bool input, struct buf *out)
{
	bool first = true;

	for (size_t i = 0; i < r->nfields; i++) {
		const struct rule *u = &r->fields[i].rule;
		if (!(input ? u->must : rule_always(u)))
			continue;
		buf_str(out, first ? ",\"required\":[" : ",");
		buf_printf(out, "\"%s\"", r->fields[i].name);
		first = false;
	}
	buf_str(out, first ? "" : "]");
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
	buf_str(out, input ? ",\"additionalProperties\":false}" : "}");
}

static void put_defs(bool input, const struct schema_defs *s, struct buf *out)
{
	const char *sep = ",\"$defs\":{";

	for (size_t k = 0; k < s->n; k++)
		if (s->times[k] > 1) {
			buf_printf(out, "%s\"%s\":", sep, s->v[k]->name);
			schema_object(s->v[k], input, s, out);
			sep = ",";
		}
	buf_str(out, *sep == ',' && !sep[1] ? "}}" : "}");
}

void json_schema(const struct record *r, bool input, struct buf *out)
{
	struct schema_defs s = { .n = 0 };

	count(r, &s);
	schema_object(r, input, &s, out);
	out->n--;	/* the closing brace */
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
		buf_printf(out,
		    f->rule.null ? "%s\"%s\":{\"type\":[\"%s\",\"null\"]}" : "%s\"%s\":{\"type\":\"%s\"}",
		    sep, f->name, types[f->type]);
		sep = ",";
	}
	buf_str(out, "}}");
}

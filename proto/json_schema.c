#include <string.h>

#include "proto/base/buf.h"
#include "proto/json.h"
#include "proto/msg.h"

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

static void schema_type(const struct field *f, bool input, struct buf *out)
{
	static const char *const types[] = {
		[T_str] = "string", [T_u64] = "integer", [T_i64] = "integer", [T_f64] = "number",
		[T_flag] = "boolean", [T_bytes] = "string", [T_strs] = "array", [T_list] = "array",
	};

	if (f->rule.null && !input)
		buf_printf(out, "\"type\":[\"%s\",\"null\"]", types[f->type]);
	else
		buf_printf(out, "\"type\":\"%s\"", types[f->type]);
	if (f->rule.oneof)
		schema_words(f->rule.oneof, out);
	if (input && f->rule.bounded)
		buf_printf(out, ",\"minimum\":%lld,\"maximum\":%lld", (long long)f->rule.lo, (long long)f->rule.hi);
	else if (f->type == T_u64)
		buf_str(out, ",\"minimum\":0");
	if (f->type == T_strs)
		buf_str(out, ",\"items\":{\"type\":\"string\"}");
	if (f->type == T_list) {
		buf_str(out, ",\"items\":");
		json_schema(f->of, input, out);
	}
	if (input && f->rule.def)
		buf_printf(out, ",\"default\":%s", f->rule.def);
}

static void schema_field(const struct field *f, bool input, struct buf *out)
{
	buf_printf(out, "\"%s\":", f->name);
	if (f->type == T_sub) {
		json_schema(f->of, input, out);
		out->n--;	/* the closing brace, to add the description */
		buf_str(out, ",\"description\":");
	} else if (f->type == T_json) {
		buf_str(out, "{\"description\":");
	} else {
		buf_byte(out, '{');
		schema_type(f, input, out);
		buf_str(out, ",\"description\":");
	}
	json_quote(out, f->doc);
	buf_byte(out, '}');
}

void json_schema(const struct record *r, bool input, struct buf *out)
{
	bool first = true;

	buf_str(out, "{\"type\":\"object\"");
	if (r->nfields) {
		buf_str(out, ",\"properties\":{");
		for (size_t i = 0; i < r->nfields; i++) {
			if (i)
				buf_byte(out, ',');
			schema_field(&r->fields[i], input, out);
		}
		buf_byte(out, '}');
	}
	for (size_t i = 0; i < r->nfields; i++) {
		const struct rule *u = &r->fields[i].rule;
		if (!(input ? u->must : rule_always(u)))
			continue;
		buf_str(out, first ? ",\"required\":[" : ",");
		buf_printf(out, "\"%s\"", r->fields[i].name);
		first = false;
	}
	buf_str(out, first ? "" : "]");
	buf_str(out, input ? ",\"additionalProperties\":false}" : "}");
}

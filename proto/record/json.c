#include "proto/record/json.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/suggest.h"
#include "proto/record/record.h"

enum { DEPTH_MAX = 64 };

struct json_decoder {
	struct arena *a;
	struct err *e;
	bool lax;
};

static int get_record(
    const struct json_decoder *, const struct record *, char *m, const json_t *, const char *at);

/* A value for an error message, cut if it is long. */
static const char *value_excerpt(const json_t *v, struct arena *a)
{
	char *s = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	const char *copy = "?", *ellipsis = "";

	if (s) {
		if (strlen(s) > 60)
			ellipsis = "…";
		copy = arena_printf(a, "%.60s%s", s, ellipsis);
	}
	free(s);
	return copy;
}

static int wrong(const struct json_decoder *rd, const char *at, const json_t *v, const char *want)
{
	return err_set(
	    rd->e, ERR_INVALID_INPUT, "`%s`: %s is not %s", at, value_excerpt(v, rd->a), want);
}

/* Whether `s` is one of the words, which are separated by |. */
static bool one_of(const char *words, const char *s)
{
	size_t n = strlen(s);

	for (const char *w = words; *w;) {
		size_t k = strcspn(w, "|");
		if (k == n && !strncmp(w, s, n))
			return true;
		w += k + (w[k] == '|');
	}
	return false;
}

/* The characters of a string, or NULL if it contains a NUL, which would cut it short. */
static const char *string_without_nul(const json_t *j)
{
	const char *s = json_string_value(j);

	if (s && strlen(s) == json_string_length(j))
		return s;
	return NULL;
}

static int get_str(
    const struct json_decoder *rd, const struct field *f, t_str *v, const json_t *j, const char *at)
{
	if (!json_is_string(j))
		return wrong(rd, at, j, "a string");
	const char *s = string_without_nul(j);
	if (!s)
		return err_set(rd->e, ERR_INVALID_INPUT, "`%s`: contains a NUL character", at);
	*v = arena_str(rd->a, s);
	if (!rd->lax && f->rule.oneof && !one_of(f->rule.oneof, *v))
		return wrong(rd, at, j, arena_printf(rd->a, "one of %s", f->rule.oneof));
	return 0;
}

/* Whether it is a whole number that a double represents exactly. */
static bool is_whole(const json_t *j)
{
	double d = json_number_value(j);

	return json_is_number(j) && d == floor(d) && fabs(d) <= 9007199254740992.0;
}

static bool in_bounds(const struct rule *r, int64_t v)
{
	return !r->bounded || (v >= r->lo && v <= r->hi);
}

static int get_integer(const struct json_decoder *rd, const struct field *f, int64_t *v,
    const json_t *j, const char *at)
{
	if (!is_whole(j))
		return wrong(rd, at, j, "a whole number");
	if (json_is_integer(j))
		*v = json_integer_value(j);
	else
		*v = (int64_t)json_number_value(j);
	if (!rd->lax && !in_bounds(&f->rule, *v))
		return wrong(rd, at, j, arena_printf(rd->a, "between %lld and %lld", (long long)f->rule.lo,
		    (long long)f->rule.hi));
	if (f->type == T_u64 && *v < 0)
		return wrong(rd, at, j, "0 or more");
	return 0;
}

static int get_bytes(const struct json_decoder *rd, t_bytes *v, const json_t *j, const char *at)
{
	struct buf b = { 0 };

	if (!json_is_string(j))
		return wrong(rd, at, j, "base64");
	int rc = buf_unbase64(&b, json_string_value(j), json_string_length(j));
	if (rc)
		wrong(rd, at, j, "base64");
	else
		*v = (t_bytes){ arena_strn(rd->a, b.p, b.n), b.n };
	buf_free(&b);
	return rc;
}

static int get_strs(const struct json_decoder *rd, const struct field *f, t_strs *v,
    const json_t *j, const char *at)
{
	if (f->rule.or_one && json_is_string(j)) {
		v->v = arena_one(rd->a, const char *);
		v->n = 1;
		return get_str(rd, f, v->v, j, at);
	}
	if (!json_is_array(j))
		return wrong(rd, at, j, "an array of strings");
	v->n = json_array_size(j);
	v->v = arena_many(rd->a, v->n, const char *);
	for (size_t i = 0; i < v->n; i++) {
		const json_t *s = json_array_get(j, i);
		if (!json_is_string(s))
			return wrong(rd, at, s, "a string");
		if (!string_without_nul(s))
			return err_set(rd->e, ERR_INVALID_INPUT, "`%s[%zu]`: contains a NUL character", at, i);
		v->v[i] = arena_str(rd->a, json_string_value(s));
	}
	return 0;
}

static int get_list(const struct json_decoder *rd, const struct field *f, struct any_list *v,
    const json_t *j, const char *at)
{
	if (!json_is_array(j))
		return wrong(rd, at, j, "an array");
	v->n = json_array_size(j);
	v->v = arena_get(rd->a, v->n, f->of->size);
	for (size_t i = 0; i < v->n; i++)
		if (get_record(rd, f->of, (char *)v->v + i * f->of->size, json_array_get(j, i),
		    arena_printf(rd->a, "%s[%zu]", at, i)))
			return -1;
	return 0;
}

static int get_raw(const struct json_decoder *rd, t_json *v, const json_t *j)
{
	char *s = json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT);

	*v = arena_str(rd->a, s);
	free(s);
	return 0;
}

static int get_field(
    const struct json_decoder *rd, const struct field *f, void *v, const json_t *j, const char *at)
{
	int64_t n = 0;

	switch (f->type) {
	case T_str: return get_str(rd, f, v, j, at);
	case T_json: return get_raw(rd, v, j);
	case T_u64: case T_i64:
		if (get_integer(rd, f, &n, j, at))
			return -1;
		*(t_i64 *)v = n;
		return 0;
	case T_f64:
		if (!json_is_number(j))
			return wrong(rd, at, j, "a number");
		*(t_f64 *)v = json_number_value(j);
		return 0;
	case T_flag:
		if (!json_is_boolean(j))
			return wrong(rd, at, j, "true or false");
		*(t_flag *)v = json_is_true(j);
		return 0;
	case T_bytes: return get_bytes(rd, v, j, at);
	case T_strs: return get_strs(rd, f, v, j, at);
	case T_sub: {
		void *m = arena_get(rd->a, 1, f->of->size);
		*(void **)v = m;
		return get_record(rd, f->of, m, j, at);
	}
	case T_list: return get_list(rd, f, v, j, at);
	}
	return 0;
}

/* What to do about an unknown argument: "use a, b or c". */
static const char *known(const struct record *r, struct arena *a)
{
	const char **names = arena_many(a, r->nfields, const char *);

	if (!r->nfields)
		return "none is accepted";
	for (size_t i = 0; i < r->nfields; i++)
		names[i] = r->fields[i].name;
	return arena_printf(a, "use %s", suggest_choices(names, r->nfields, a));
}

static const struct field *field_named(const struct record *r, const char *name)
{
	for (size_t i = 0; i < r->nfields; i++)
		if (!strcmp(r->fields[i].name, name))
			return &r->fields[i];
	return NULL;
}

static int refuse_unknown(
    const struct json_decoder *rd, const struct record *r, const json_t *j, const char *at)
{
	const char *key, *dot = *at ? "." : "";
	json_t *v;

	json_object_foreach((json_t *)j, key, v) {
		if (!field_named(r, key))
			return err_set(rd->e, ERR_INVALID_INPUT, "`%s%s%.60s`: unknown argument; %s", at, dot,
			    key, known(r, rd->a));
	}
	return 0;
}

static const char *name_below(const struct json_decoder *rd, const char *at, const struct field *f)
{
	if (*at)
		return arena_printf(rd->a, "%s.%s", at, f->name);
	return f->name;
}

/* Whether a member counts as absent: null does, except where any JSON is allowed. */
static bool is_absent(const struct field *f, const json_t *v)
{
	return !v || (json_is_null(v) && f->type != T_json);
}

/* Decodes the members that are there, usually far fewer than the record's fields. */
static int get_object_members(
    const struct json_decoder *rd, const struct record *r, char *m, const json_t *j, const char *at)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)j, key, v) {
		const struct field *f = field_named(r, key);
		if (!f || is_absent(f, v))
			continue;
		if (get_field(rd, f, m + f->off, v, name_below(rd, at, f)))
			return -1;
	}
	return 0;
}

static int get_default(
    const struct json_decoder *rd, const struct field *f, char *m, const char *at)
{
	json_t *def = json_loads(f->rule.def, JSON_DECODE_ANY, NULL);
	int rc = 0;

	if (def)
		rc = get_field(rd, f, m + f->off, def, at);
	json_decref(def);
	return rc;
}

/* Decodes a field by its rule: its member, its default, or the error that it is missing. */
static int get_by_rule(
    const struct json_decoder *rd, const struct field *f, char *m, const json_t *j, const char *at)
{
	const json_t *v = json_object_get(j, f->name);
	const char *name = name_below(rd, at, f);

	if (!is_absent(f, v))
		return get_field(rd, f, m + f->off, v, name);
	if (f->rule.def)
		return get_default(rd, f, m, name);
	if (f->rule.must)
		return err_set(rd->e, ERR_INVALID_INPUT, "`%s` is missing: %s", name, f->doc);
	return 0;
}

static int get_strict(
    const struct json_decoder *rd, const struct record *r, char *m, const json_t *j, const char *at)
{
	if (refuse_unknown(rd, r, j, at))
		return -1;
	for (size_t i = 0; i < r->nfields; i++)
		if (get_by_rule(rd, &r->fields[i], m, j, at))
			return -1;
	return 0;
}

static int get_lax(
    const struct json_decoder *rd, const struct record *r, char *m, const json_t *j, const char *at)
{
	if (get_object_members(rd, r, m, j, at))
		return -1;
	for (size_t i = 0; i < r->nfields; i++)
		if (r->fields[i].rule.def && get_by_rule(rd, &r->fields[i], m, j, at))
			return -1;
	return 0;
}

static int get_record(
    const struct json_decoder *rd, const struct record *r, char *m, const json_t *j, const char *at)
{
	if (!json_is_object(j)) {
		const char *name = *at ? at : "arguments";
		return wrong(rd, name, j, "an object");
	}
	if (rd->lax)
		return get_lax(rd, r, m, j, at);
	return get_strict(rd, r, m, j, at);
}

/* jansson's own limit is 2048 levels, deeper than any real arguments. */
static bool too_deep(const char *s)
{
	int depth = 0;
	bool in_string = false;

	for (; *s; s++) {
		if (in_string) {
			if (*s == '\\' && s[1])
				s++;
			else if (*s == '"')
				in_string = false;
		} else if (*s == '"') {
			in_string = true;
		} else if (*s == '{' || *s == '[') {
			depth++;
			if (depth > DEPTH_MAX)
				return true;
		} else if (*s == '}' || *s == ']') {
			depth--;
		}
	}
	return false;
}

static json_t *load(const char *text, struct err *e)
{
	json_error_t why;

	if (too_deep(text)) {
		err_set(e, ERR_INVALID_INPUT, "JSON nested deeper than %d levels", DEPTH_MAX);
		return NULL;
	}
	json_t *j = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
	if (!j)
		err_set(e, ERR_INVALID_INPUT, "not JSON: line %d, column %d: %s", why.line, why.column,
		    why.text);
	return j;
}

static int get(const struct record *r, void *m, const char *text, const struct json_decoder *rd)
{
	if (!text || !*text)
		text = "{}";
	json_t *j = load(text, rd->e);
	if (!j)
		return -1;
	int rc = get_record(rd, r, m, j, "");
	json_decref(j);
	return rc;
}

int json_get(const struct record *r, void *m, const char *text, struct arena *a, struct err *e)
{
	return get(r, m, text, &(struct json_decoder){ a, e, false });
}

int json_get_lax(const struct record *r, void *m, const char *text, struct arena *a, struct err *e)
{
	return get(r, m, text, &(struct json_decoder){ a, e, true });
}

/* ---- raw values ---- */

static enum json_is kind(const json_t *j)
{
	if (!j)
		return JSON_IS_BAD;
	if (json_is_object(j))
		return JSON_IS_OBJECT;
	if (json_is_array(j))
		return JSON_IS_ARRAY;
	if (json_is_string(j))
		return JSON_IS_STRING;
	if (json_is_number(j))
		return JSON_IS_NUMBER;
	if (json_is_boolean(j))
		return JSON_IS_FLAG;
	return JSON_IS_NULL;
}

static json_t *load_or_null(const char *text)
{
	if (!text)
		return NULL;
	return load(text, NULL);
}

enum json_is json_is(const char *text)
{
	json_t *j = load_or_null(text);
	enum json_is k = kind(j);

	json_decref(j);
	return k;
}

static const char *dump(const json_t *v, struct arena *a)
{
	if (!v)
		return NULL;
	char *s = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	const char *copy = arena_str(a, s);
	free(s);
	return copy;
}

const char *json_member(const char *object, const char *key, struct arena *a)
{
	json_t *j = load_or_null(object);
	const char *s = dump(json_object_get(j, key), a);

	json_decref(j);
	return s;
}

const char *json_item(const char *array, size_t i, struct arena *a)
{
	json_t *j = load_or_null(array);
	const char *s = dump(json_array_get(j, i), a);

	json_decref(j);
	return s;
}

/*
 * The value of a JSON string without escapes, as most are: the text between the quotes.  NULL if it
 * has to be parsed.
 */
static const char *unescaped_text(const char *text, struct arena *a)
{
	size_t n = 1;

	if (*text != '"')
		return NULL;
	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	if (text[n] == '"' && !text[n + 1])
		return arena_strn(a, text + 1, n - 1);
	return NULL;
}

const char *json_text(const char *text, struct arena *a)
{
	if (!text)
		return NULL;
	const char *s = unescaped_text(text, a);
	if (s)
		return s;
	json_t *j = load(text, NULL);
	s = arena_str(a, string_without_nul(j));
	json_decref(j);
	return s;
}

const char *json_text_at(const char *object, const char *key, struct arena *a)
{
	if (object && json_is(object) == JSON_IS_OBJECT)
		return json_text(json_member(object, key, a), a);
	return NULL;
}

/* ---- values ---- */

struct json *json_read(const char *text, struct err *e)
{
	if (!text)
		text = "";
	return (struct json *)load(text, e);
}

void json_free(struct json *j)
{
	json_decref((json_t *)j);
}

const struct json *json_key(const struct json *object, const char *key)
{
	return (const struct json *)json_object_get((const json_t *)object, key);
}

const struct json *json_nth(const struct json *array, size_t i)
{
	return (const struct json *)json_array_get((const json_t *)array, i);
}

size_t json_len(const struct json *array)
{
	return json_array_size((const json_t *)array);
}

const char *json_str(const struct json *j)
{
	return string_without_nul((const json_t *)j);
}

bool json_num(const struct json *j, double *out)
{
	*out = json_number_value((const json_t *)j);
	return json_is_number((const json_t *)j);
}

enum json_is json_kind(const struct json *j)
{
	return kind((const json_t *)j);
}

const char *json_raw(const struct json *j, struct arena *a)
{
	return dump((const json_t *)j, a);
}

int json_decode_lax(
    const struct record *r, void *m, const struct json *j, struct arena *a, struct err *e)
{
	return get_record(&(struct json_decoder){ a, e, true }, r, m, (const json_t *)j, "");
}

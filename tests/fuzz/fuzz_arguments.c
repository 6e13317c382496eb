/*
 * Any text as the arguments of a tool, which a first line names.  What json_get takes is what the tool's schema describes,
 * checked by a validator of its own; what it takes is run, when the tool only reads, over a federation whose shards are
 * played here: an answer fits its schema, a failure says what helps.  With libFuzzer arguments are made from the tables;
 * each tool's least and fullest ones are tried first.
 */
#include <jansson.h>
#include <math.h>

#include "tests/federation.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max);

static char cursor[200] = "x";		/* the last that was given out */

/* ---- JSON Schema, as far as tools use it ---- */

static bool valid(json_t *schema, json_t *v, json_t *root);

static bool is_type(const char *type, json_t *v)
{
	double d = json_number_value(v);

	return !strcmp(type, "object") ? json_is_object(v) : !strcmp(type, "array") ? json_is_array(v) :
	    !strcmp(type, "string") ? json_is_string(v) && strlen(json_string_value(v)) == json_string_length(v) :
	    !strcmp(type, "boolean") ? json_is_boolean(v) : !strcmp(type, "null") ? json_is_null(v) :
	    !strcmp(type, "number") ? json_is_number(v) : !strcmp(type, "integer") && json_is_number(v) && d == floor(d) && fabs(d) <= 0x1p53;
}

static bool valid_type(json_t *type, json_t *v)
{
	bool any = !type;

	if (json_is_string(type))
		return is_type(json_string_value(type), v);
	for (size_t i = 0; i < json_array_size(type); i++)
		any |= is_type(json_string_value(json_array_get(type, i)), v);
	return any;
}

static bool valid_object(json_t *schema, json_t *v, json_t *root)
{
	json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required"), *member;
	const char *key;

	for (size_t i = 0; i < json_array_size(required); i++)
		if (!json_object_get(v, json_string_value(json_array_get(required, i))))
			return false;
	json_object_foreach(v, key, member) {
		json_t *s = json_object_get(properties, key);
		if (s ? !valid(s, member, root) : json_is_false(json_object_get(schema, "additionalProperties")))
			return false;
	}
	return true;
}

static bool valid_any(json_t *list, json_t *v, json_t *root)
{
	bool any = !list;

	for (size_t i = 0; i < json_array_size(list); i++)
		any |= valid(json_array_get(list, i), v, root);
	return any;
}

static bool valid(json_t *schema, json_t *v, json_t *root)
{
	json_t *ref = json_object_get(schema, "$ref"), *e = json_object_get(schema, "enum"), *lo = json_object_get(schema, "minimum"),
	    *hi = json_object_get(schema, "maximum"), *items = json_object_get(schema, "items");
	bool in = !e;

	if (ref)
		return valid(json_object_get(json_object_get(root, "$defs"), strrchr(json_string_value(ref), '/') + 1), v, root);
	for (size_t i = 0; i < json_array_size(e); i++)
		in |= json_equal(json_array_get(e, i), v);
	for (size_t i = 0; items && i < json_array_size(v); i++)
		in &= valid(items, json_array_get(v, i), root);
	return in && valid_type(json_object_get(schema, "type"), v) && valid_any(json_object_get(schema, "anyOf"), v, root) &&
	    valid_any(json_object_get(schema, "oneOf"), v, root) && (!lo || json_number_value(v) >= json_number_value(lo)) &&
	    (!hi || json_number_value(v) <= json_number_value(hi)) && (!json_is_object(v) || valid_object(schema, v, root));
}

/* null is as good as absent, but where any JSON is taken. */
static void drop_nulls(json_t *v, const struct record *r)
{
	for (size_t i = 0; json_is_object(v) && i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		json_t *member = json_object_get(v, f->name);
		if (json_is_null(member) && f->type != T_json)
			json_object_del(v, f->name);
		else if (f->type == T_sub)
			drop_nulls(member, f->of);
		for (size_t k = 0; f->type == T_list && k < json_array_size(member); k++)
			drop_nulls(json_array_get(member, k), f->of);
	}
}

static json_t *schema_of(const struct tool *t, bool input)
{
	struct buf b = { 0 };

	input ? json_schema(t->in, true, &b) : json_schema_either(t->out, &rec_problem_answer, &b);
	json_t *s = json_loads(b.p, 0, NULL);
	buf_free(&b);
	return s ? s : (abort(), NULL);
}

/* ---- what is tried ---- */

static void finding(const char *what, const struct tool *t, const char *args, const char *got)
{
	fprintf(stderr, "%s: %s %s: %.2000s\n", what, t->name, args, got ? got : "");
	abort();
}

static void check_decision(const struct tool *t, const char *args, bool taken, const struct err *e)
{
	json_t *schema = schema_of(t, true), *v = json_loads(*args ? args : "{}", JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

	drop_nulls(v, t->in);
	if (!taken && (e->code != ERR_INVALID_INPUT || !*e->msg))
		finding("refused without a reason", t, args, e->msg);
	if (taken && (!v || !valid(schema, v, schema)))
		finding("taken against the schema", t, args, "");
	if (!taken && v && valid(schema, v, schema) && !strstr(e->msg, "nested deeper"))
		finding("refused against the schema", t, args, e->msg);
	json_decref(v);
	json_decref(schema);
}

static void check_answer(const struct tool *t, const char *args, const struct call *c)
{
	struct buf json = { 0 }, text = { 0 };
	json_t *schema = schema_of(t, false);

	call_json(c, &json);
	call_text(c, &text);
	json_t *v = json_loads(json.p, JSON_REJECT_DUPLICATES, NULL);
	if (!v || !valid(schema, v, schema))
		finding("an answer against the schema", t, args, json.p);
	if (c->e.code == ERR_INTERNAL || (c->e.code && (!*c->problem.message || !*c->problem.hint)))
		finding("a failure that does not help", t, args, json.p);
	if (!text.n || (text.n > 10 << 10 && strcmp(t->name, "open_file")))
		finding("a text of another length", t, args, text.p);
	const char *next = json_string_value(json_object_get(v, "next_cursor"));
	if (next)
		snprintf(cursor, sizeof cursor, "%s", next);
	json_decref(v);
	json_decref(schema);
	buf_free(&json);
	buf_free(&text);
}

static void run(const struct tool *t, const char *args)
{
	struct pending_call w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };

	call_start(co, t, &caller_local, args, &(struct call_client){ .done = on_done, .ctx = &w, .key = &w });
	pthread_mutex_lock(&w.lock);
	while (!w.c)
		pthread_cond_wait(&w.cond, &w.lock);
	pthread_mutex_unlock(&w.lock);
	check_answer(t, args, w.c);
	call_free(w.c);
}

static void try(const struct tool *t, const char *args)
{
	struct arena *mem = arena_new();
	struct err e = { 0 };
	bool taken = !json_get(t->in, arena_get(mem, 1, t->in->size), args, mem, &e);

	check_decision(t, args, taken, &e);
	arena_free(mem);
	if (!(t->hints & WRITES))
		run(t, args);
}

/* ---- arguments out of the tables ---- */

static unsigned state;

static unsigned pick(unsigned n)
{
	state = state * 1664525 + 1013904223;
	return (state >> 16) % n;
}

static void put_words(const char *const *words, size_t n, struct buf *out)
{
	const char *word = words[pick((unsigned)n)];

	if (*word == '$')
		word = cursor;
	json_quote(out, word);
}

static void put_record(const struct record *, bool full, struct buf *);

/* A value of the field's own type. */
static void put_fitting(const struct field *f, struct buf *out)
{
	static const char *const words[] = { "svc0", "shop/svc1", "h.example/shop/svc2", "all", "$", "loadUsers", "src/f1.c", "GET /m1", "/m{}",
		"\"a b\"", "load*", "src/f1.c:3", "../x", "", "ü\x01", "--- a/src/f1.c\n+++ b/src/f1.c\n@@ -3 +3 @@\n-a\n+b\n", "HEAD~1", "function" };
	char word[40];

	switch (f->type) {
	case T_str:
		if (f->rule.oneof) {
			const char *s = f->rule.oneof;
			for (unsigned skip = pick(4); skip && strchr(s, '|'); skip--)
				s = strchr(s, '|') + 1;
			snprintf(word, sizeof word, "%.*s", (int)strcspn(s, "|"), s);
			json_quote(out, word);
			break;
		}
		put_words(words, LEN(words), out);
		break;
	case T_u64: case T_i64: {
		long long lo = f->rule.bounded ? f->rule.lo : 0, hi = f->rule.bounded ? f->rule.hi : 1000;
		buf_printf(out, "%lld", pick(4) ? lo + pick((unsigned)(hi - lo + 1)) : pick(2) ? lo : hi);
		break;
	}
	case T_f64: buf_printf(out, "%g", pick(20) / 10.0 - 0.5); break;
	case T_flag: buf_str(out, pick(2) ? "true" : "false"); break;
	case T_json: buf_str(out, pick(2) ? "[0.1,2,-3e5]" : "{\"a\":[null]}"); break;
	case T_bytes: buf_str(out, "\"AAAA\""); break;
	case T_strs:
		buf_byte(out, '[');
		for (unsigned i = pick(4), k = i; k; k--) {
			put_words(words, LEN(words), out);
			buf_str(out, k > 1 ? "," : "");
		}
		buf_byte(out, ']');
		break;
	case T_sub: put_record(f->of, pick(2), out); break;
	case T_list:
		buf_byte(out, '[');
		put_record(f->of, pick(2), out);
		buf_byte(out, ']');
		break;
	}
}

static void put_odd(struct buf *out)
{
	static const char *const odd[] = { "null", "-1", "1e308", "0.5", "9007199254740993", "1.0", "\"\\u0000\"",
	    "\"\\ud83d\\ude00\"", "[]", "{}",
		"[[[[]]]]", "true", "[\"a\\u0000\"]", "[null]", "1e19", "18446744073709551616", "\"x\"" };

	buf_str(out, odd[pick(LEN(odd))]);
}

/* `full`: all fields, none of them odd; otherwise some, and what must be there. */
static void put_record(const struct record *r, bool full, struct buf *out)
{
	const char *sep = "";

	buf_byte(out, '{');
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (!full && !(f->rule.must ? pick(12) : pick(3) == 0))
			continue;
		buf_printf(out, "%s\"%s\":", sep, f->name);
		if (full || pick(12))
			put_fitting(f, out);
		else
			put_odd(out);
		sep = ",";
	}
	if (!full && !pick(30))
		buf_printf(out, "%s\"nope\":1", sep);
	buf_byte(out, '}');
}

static void try_all(void)
{
	struct buf b = { 0 };

	for (const struct tool *t = tools; t->name; t++)
		for (int i = 0; i < 8; i++) {
			b.n = 0;
			put_record(t->in, i < 4, &b);
			try(t, b.p);
		}
	buf_free(&b);
}

/* ---- the entry ---- */

static void finish(void)
{
	federation_close(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (!co) {
		federation_open(NULL);
		atexit(finish);
		try_all();
	}
	char *text = malloc(n + 1), *args;
	memcpy(text, p, n);
	text[n] = 0;
	if ((args = strchr(text, '\n'))) {
		*args++ = 0;
		const struct tool *t = tool_get(text);
		if (t)
			try(t, args);
	}
	free(text);
	return 0;
}

/* Half of the time new arguments for some tool, else what libFuzzer makes of those that are there. */
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max, unsigned seed)
{
	const uint8_t *line = memchr(p, '\n', n);
	struct buf b = { 0 };
	size_t count = 0, head;

	state = seed;
	if (line && pick(2)) {
		head = (size_t)(line - p) + 1;
		return head + LLVMFuzzerMutate(p + head, n - head, max - head);
	}
	while (tools[count].name)
		count++;
	const struct tool *t = &tools[pick((unsigned)count)];
	buf_printf(&b, "%s\n", t->name);
	put_record(t->in, false, &b);
	n = b.n < max ? b.n : max;
	memcpy(p, b.p, n);
	buf_free(&b);
	return n;
}

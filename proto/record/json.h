#ifndef PROTO_RECORD_JSON_H
#define PROTO_RECORD_JSON_H
/*
 * Records to and from JSON, their JSON Schema, and the little else that is needed of JSON.  The
 * one includer of jansson.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;
struct record;

/* Append the record at `m` as one JSON object.  Bytes that are no UTF-8 become U+FFFD. */
void json_put(const struct record *, const void *m, struct buf *out);

/* Append a JSON string; JSON null for NULL. */
void json_quote(struct buf *out, const char *s);

/*
 * Decode a JSON object into the zeroed record at `m` and check it against the rules of its rows:
 * required fields, types, bounds, words, and nothing unknown.  Defaults are filled in.  `text`
 * NULL or "" counts as {}. 0, or -1 with INVALID_INPUT that names the field and the value.
 */
int json_get(const struct record *, void *m, const char *text, struct arena *a, struct err *e);

/*
 * The same without the rules: unknown members are skipped, nothing is required; for other
 * programs' messages.
 */
int json_get_lax(const struct record *, void *m, const char *text, struct arena *a, struct err *e);

/*
 * Append the JSON Schema (2020-12) of a record: of arguments (`input`), or of results.  What it
 * holds more than once stands below $defs, so the schema must be a whole document.
 */
void json_schema(const struct record *, bool input, struct buf *out);

/* The same for results that are one of two records. */
void json_schema_either(const struct record *, const struct record *other, struct buf *out);

/*
 * What every result of a kind has, with types, in few words, for lists that are read whole.
 * Nothing is required, so that a failure fits as well.
 */
void json_schema_brief(const struct record *, struct buf *out);

enum json_is {
	JSON_IS_BAD, JSON_IS_NULL, JSON_IS_FLAG, JSON_IS_NUMBER, JSON_IS_STRING, JSON_IS_ARRAY,
	    JSON_IS_OBJECT
};

/*
 * What the text is: one JSON value, or JSON_IS_BAD (also for duplicate keys, bad UTF-8, more than
 * 64 levels).
 */
enum json_is json_is(const char *text);

/* The raw text of a member of an object, or NULL. */
const char *json_member(const char *object, const char *key, struct arena *);

/* The raw text of the i-th element of an array, or NULL behind the end. */
const char *json_item(const char *array, size_t i, struct arena *);

/*
 * The value of a JSON string, or NULL when the text is none, or holds a NUL: half of it would be
 * something else.
 */
const char *json_text(const char *text, struct arena *);

/*
 * The string that a member of an object is; NULL when there is none, also when `object` is NULL or
 * no object.
 */
const char *json_text_at(const char *object, const char *key, struct arena *);

/* ---- other programs' JSON, parsed once ---- */

struct json;			/* a value */

/*
 * The value; NULL with INVALID_INPUT when the bytes are none (as json_is).  To be ended with
 * json_free, with all values within.
 */
struct json *json_read(const char *text, struct err *);
void json_free(struct json *);	/* NULL is fine */

/* What is within, borrowed; NULL when there is no such thing, also within NULL. */
const struct json *json_key(const struct json *object, const char *key);
const struct json *json_nth(const struct json *array, size_t i);
size_t json_len(const struct json *array);	/* 0 when it is none */
const char *json_str(const struct json *);	/* as json_text */
bool json_num(const struct json *, double *);	/* false when it is none */
enum json_is json_kind(const struct json *);	/* JSON_IS_BAD for NULL */
const char *json_raw(const struct json *, struct arena *);	/* its text; NULL for NULL */

/* As json_get_lax. */
int json_decode_lax(
    const struct record *, void *m, const struct json *, struct arena *, struct err *);
#endif

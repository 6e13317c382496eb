#ifndef PROTO_RECORD_JSON_H
#define PROTO_RECORD_JSON_H
/*
 * Records to and from JSON, their JSON Schema, and access to other JSON values.  The one includer
 * of jansson.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;
struct record;

/* Append the record at `m` as one JSON object.  Bytes that are not UTF-8 become U+FFFD. */
void json_put(const struct record *, const void *m, struct buf *out);

/* Append a JSON string; JSON null for NULL. */
void json_quote(struct buf *out, const char *s);

/*
 * Decode a JSON object into the zeroed record at `m` and check it against the rules of its rows:
 * required fields, types, bounds, words, and no unknown members.  Defaults are filled in.  `text`
 * NULL or "" counts as {}.  0, or -1 with INVALID_INPUT, naming the field and the value.
 */
int json_get(const struct record *, void *m, const char *text, struct arena *a, struct err *e);

/*
 * The same for messages of other programs: unknown members are skipped, nothing is required, and
 * bounds and words are not checked.
 */
int json_get_lax(const struct record *, void *m, const char *text, struct arena *a, struct err *e);

/*
 * Append the JSON Schema (2020-12) of a record, as arguments (`input`) or as a result.  Records
 * that occur more than once are below $defs, so the schema must be a complete document.
 */
void json_schema(const struct record *, bool input, struct buf *out);

/* The same for results that are one of two records. */
void json_schema_either(const struct record *, const struct record *other, struct buf *out);

/*
 * Append a short schema for long lists of tools: the types of the fields that every result has.
 * Nothing is required, so that a failure matches as well.
 */
void json_schema_brief(const struct record *, struct buf *out);

enum json_is {
	JSON_IS_BAD,
	JSON_IS_NULL,
	JSON_IS_FLAG,
	JSON_IS_NUMBER,
	JSON_IS_STRING,
	JSON_IS_ARRAY,
	JSON_IS_OBJECT,
};

/*
 * The type of the JSON value that is the text, or JSON_IS_BAD (also for duplicate keys, invalid
 * UTF-8, and more than 64 levels).
 */
enum json_is json_is(const char *text);

/* The raw text of a member of an object, or NULL. */
const char *json_member(const char *object, const char *key, struct arena *);

/* The raw text of the i-th element of an array, or NULL after the end. */
const char *json_item(const char *array, size_t i, struct arena *);

/*
 * The value of a JSON string.  NULL if the text is not a string, or if it contains a NUL, which
 * would cut it short.
 */
const char *json_text(const char *text, struct arena *);

/* The value of an object's string member.  NULL if there is none, or no object. */
const char *json_text_at(const char *object, const char *key, struct arena *);

/* ---- other programs' JSON, parsed once ---- */

struct json;			/* a value */

/*
 * Parse a value.  NULL with INVALID_INPUT where json_is returns JSON_IS_BAD.  json_free frees it
 * with all values in it.
 */
struct json *json_read(const char *text, struct err *);
void json_free(struct json *);	/* NULL is fine */

/* Members and elements, borrowed.  NULL if there is none, also for NULL. */
const struct json *json_key(const struct json *object, const char *key);
const struct json *json_nth(const struct json *array, size_t i);
size_t json_len(const struct json *array);	/* 0 if it is not an array */
const char *json_str(const struct json *);	/* like json_text */
bool json_num(const struct json *, double *);	/* false if it is not a number */
enum json_is json_kind(const struct json *);	/* JSON_IS_BAD for NULL */
const char *json_raw(const struct json *, struct arena *);	/* its text; NULL for NULL */

/* Like json_get_lax. */
int json_decode_lax(
    const struct record *, void *m, const struct json *, struct arena *, struct err *);
#endif

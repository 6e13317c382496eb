/*
 * A .c file includes this before a table of records (schema.def, tools.def) to turn the rows into
 * descriptor tables.  It has no guard, because the table undefines the row macros again.
 */
#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define SUB(r, t, f, rule, d)   { #f, d, T_sub, offsetof(struct r, f), &rec_##t, rule },
#define LIST(r, t, f, rule, d)  { #f, d, T_list, offsetof(struct r, f), &rec_##t, rule },
#define END(r)                  { NULL, NULL, T_str, 0, NULL, MAY } }; \
	const struct record rec_##r = { #r, r##_fields, sizeof r##_fields / sizeof *r##_fields - 1, \
		sizeof(struct r) };

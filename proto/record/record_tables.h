/*
 * Included by a .c file before a table of records (schema.def, tools.def): makes the rows into
 * descriptor tables. No guard: it defines row macros that the table takes away again.
 */
#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define SUB(r, t, f, rule, d)   { #f, d, T_sub, offsetof(struct r, f), &rec_##t, rule },
#define LIST(r, t, f, rule, d)  { #f, d, T_list, offsetof(struct r, f), &rec_##t, rule },
#define END(r)                  { NULL, NULL, T_str, 0, NULL, MAY } }; \
	const struct record rec_##r = { #r, r##_fields, sizeof r##_fields / sizeof *r##_fields - 1, sizeof(struct r) };

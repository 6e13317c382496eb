#include "proto/text/yaml_flat.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/text/yaml_open.h"

enum { LONGEST_KEY = 400, MAX_ENTRIES = 20000, LONGEST_NAME = 253 };

struct yaml_flattener {
	struct arena *a;
	struct flat_entry *v;
	size_t n, cap;
	bool full;
	struct budget budget;	/* aliases repeat whole subtrees, so the output may be far larger */
};

static void put(struct yaml_flattener *r, const char *key, const yaml_node_t *value)
{
	r->full = r->n == MAX_ENTRIES;
	if (r->full) {
		budget_report_limit(&r->budget, MAX_ENTRIES, "values", value->start_mark.line + 1);
		return;
	}
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = (struct flat_entry){ key,
		arena_strn(r->a, (const char *)value->data.scalar.value, value->data.scalar.length),
		(uint32_t)value->start_mark.line + 1 };
}

static void walk(struct yaml_flattener *r, yaml_document_t *d, const yaml_node_t *n,
    const char *path, int depth);

static void walk_mapping(
    struct yaml_flattener *r, yaml_document_t *d, const yaml_node_t *n, const char *path, int depth)
{
	const yaml_node_pair_t *end = n->data.mapping.pairs.top;
	const char *dot = *path ? "." : "";

	for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < end; p++) {
		const yaml_node_t *key = yaml_document_get_node(d, p->key);
		if (!key || key->type != YAML_SCALAR_NODE)
			continue;
		const char *name = (const char *)key->data.scalar.value;
		walk(r, d, yaml_document_get_node(d, p->value),
		    arena_printf(r->a, "%s%s%s", path, dot, name), depth + 1);
	}
}

static void walk_sequence(
    struct yaml_flattener *r, yaml_document_t *d, const yaml_node_t *n, const char *path, int depth)
{
	const yaml_node_item_t *start = n->data.sequence.items.start, *end = n->data.sequence.items.top;

	for (const yaml_node_item_t *p = start; p < end; p++)
		walk(r, d, yaml_document_get_node(d, *p),
		    arena_printf(r->a, "%s[%zu]", path, (size_t)(p - start)), depth + 1);
}

static void walk(
    struct yaml_flattener *r, yaml_document_t *d, const yaml_node_t *n, const char *path, int depth)
{
	if (!n || r->full || strlen(path) > LONGEST_KEY)
		return;
	size_t line = n->start_mark.line + 1;
	if (!budget_check_depth(&r->budget, (size_t)depth, line) || !budget_spend(&r->budget, 1, line))
		return;
	if (n->type == YAML_MAPPING_NODE)
		walk_mapping(r, d, n, path, depth);
	else if (n->type == YAML_SEQUENCE_NODE)
		walk_sequence(r, d, n, path, depth);
	else
		put(r, path, n);
}

/* The parser's reason why it could not load a document. */
static int invalid_yaml(const yaml_parser_t *parser, struct err *e)
{
	const char *problem = "it is not YAML";

	if (parser->problem)
		problem = parser->problem;
	return err_set(e, ERR_INVALID_INPUT, "line %zu: %s", parser->problem_mark.line + 1, problem);
}

int flat_read(const char *text, size_t n, struct arena *a,
    void (*each)(void *, const struct flat_entry *, size_t), void *arg, struct err *e)
{
	struct yaml_flattener r = { .a = a };
	yaml_parser_t parser;
	yaml_document_t d;
	bool more = true;	/* false at the end, which is a document without a root */
	int rc = 0;

	yaml_open_text(&parser, text, n);
	budget_begin(&r.budget, BUDGET_FLAT, n, a);
	while (more && !rc) {
		if (!yaml_parser_load(&parser, &d)) {
			rc = invalid_yaml(&parser, e);
			break;
		}
		const yaml_node_t *root = yaml_document_get_root_node(&d);
		more = root != NULL;
		r.n = 0;
		r.full = false;
		walk(&r, &d, root, "", 0);
		if (r.budget.exceeded)
			rc = err_set(e, ERR_INVALID_INPUT, "%s: aliases expand to too much", r.budget.exceeded);
		else if (root)
			each(arg, r.v, r.n);
		yaml_document_delete(&d);
	}
	yaml_parser_delete(&parser);
	free(r.v);
	return rc;
}

/* ---- rules for the contents of a file ---- */

/* The key without the indices in its brackets. */
static const char *strip_indices(const char *key, char out[LONGEST_KEY * 2])
{
	char *w = out;

	for (const char *s = key; *s && w < out + LONGEST_KEY * 2 - 1; s++) {
		*w++ = *s;
		if (*s == '[')
			s += strspn(s + 1, "0123456789");
	}
	*w = '\0';
	return out;
}

static bool is_name(const char *s)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:*";
	size_t n = strlen(s);

	return n && n <= LONGEST_NAME && strspn(s, allowed) == n;
}

/* Why a value is not of its kind, or NULL. */
static const char *value_fault(enum flat_kind kind, const char *s)
{
	static const char *const methods[] = { "ANY", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
		"OPTIONS" };

	switch (kind) {
	case FLAT_TEXT:
		if (!*s)
			return "is empty";
		return NULL;
	case FLAT_NAME:
		if (!is_name(s))
			return "is not a name or host: use letters, digits, . _ - and a port";
		return NULL;
	case FLAT_PATH:
		if (*s != '/' || strpbrk(s, " \t\n?#"))
			return "is not a path: a path begins with / and contains no blank";
		return NULL;
	case FLAT_METHOD:
		for (size_t i = 0; i < LEN(methods); i++)
			if (!strcmp(methods[i], s))
				return NULL;
		return "is not a method: use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS or ANY";
	case FLAT_TARGET:
		if (!*s || *s == '/' || strpbrk(s, " \t\n?#"))
			return "is not a target: use host, host:port/path or a URL";
		return NULL;
	}
	return NULL;
}

enum { KNOWN_MAX = 160 };

static void append_key(char known[KNOWN_MAX], const char *key, size_t len)
{
	size_t n = strlen(known);
	const char *comma = n ? ", " : "";

	snprintf(known + n, KNOWN_MAX - n, "%s%.*s", comma, (int)len, key);
}

/* The keys of the list whose name has `n` characters.  False if there is no such list. */
static bool keys_of_list(
    const char *list, size_t n, const struct flat_rule *rules, size_t nrules, char known[KNOWN_MAX])
{
	for (size_t i = 0; n && i < nrules; i++)
		if (!strncmp(rules[i].key, list, n))
			append_key(known, rules[i].key, strlen(rules[i].key));
	return *known;
}

/* The names of all lists.  The rules of one list follow each other. */
static void all_lists(const struct flat_rule *rules, size_t nrules, char known[KNOWN_MAX])
{
	for (size_t i = 0; i < nrules; i++) {
		size_t n = strcspn(rules[i].key, "[");
		bool again = i && !strncmp(rules[i - 1].key, rules[i].key, n + 1);
		if (!again)
			append_key(known, rules[i].key, n);
	}
}

static int unknown(const char *file, const struct flat_entry *f, const struct flat_rule *rules,
    size_t nrules, struct err *e)
{
	char known[KNOWN_MAX] = "";

	if (!keys_of_list(f->key, strcspn(f->key, "[."), rules, nrules, known))
		all_lists(rules, nrules, known);
	return err_set(e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: no such key; there are %s", file, f->line,
	    f->key, known);
}

/* The key by the rule `r` that the list element of `f` lacks, or NULL. */
static const char *missing(const struct flat_entry *v, size_t n, const struct flat_entry *f,
    const struct flat_rule *r, char key[LONGEST_KEY * 2])
{
	const char *dot = strstr(r->key, "[].");

	if (!dot)
		return NULL;
	size_t list = (size_t)(dot - r->key);
	if (strncmp(f->key, r->key, list) || f->key[list] != '[')
		return NULL;
	size_t digits = strspn(f->key + list + 1, "0123456789");
	snprintf(key, LONGEST_KEY * 2, "%.*s%s", (int)(list + digits + 2), f->key, dot + 2);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].key, key))
			return NULL;
	return key;
}

static const struct flat_rule *find_rule(
    const struct flat_rule *rules, size_t nrules, const char *key)
{
	char bare[LONGEST_KEY * 2];

	strip_indices(key, bare);
	for (size_t i = 0; i < nrules; i++)
		if (!strcmp(rules[i].key, bare))
			return &rules[i];
	return NULL;
}

/* Checks that the list element of `f` has the keys that it must have. */
static int check_missing(const char *file, const struct flat_entry *v, size_t n,
    const struct flat_entry *f, const struct flat_rule *rules, size_t nrules, struct err *e)
{
	char key[LONGEST_KEY * 2];

	for (size_t i = 0; i < nrules; i++) {
		if (!rules[i].must)
			continue;
		const char *lacks = missing(v, n, f, &rules[i], key);
		if (lacks)
			return err_set(
			    e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: is missing", file, f->line, lacks);
	}
	return 0;
}

int flat_check(const char *file, const struct flat_entry *v, size_t n,
    const struct flat_rule *rules, size_t nrules, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const struct flat_rule *rule = find_rule(rules, nrules, v[i].key);
		if (!rule)
			return unknown(file, &v[i], rules, nrules, e);
		const char *fault = value_fault(rule->kind, v[i].value);
		if (fault)
			return err_set(e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: `%.60s` %s", file, v[i].line,
			    v[i].key, v[i].value, fault);
		if (check_missing(file, v, n, &v[i], rules, nrules, e))
			return -1;
	}
	return 0;
}

const char *flat_get(const struct flat_entry *v, size_t n, const char *list, size_t i,
    const char *name, uint32_t *line)
{
	char key[LONGEST_KEY * 2];
	const char *dot = *name ? "." : "";

	snprintf(key, sizeof key, "%.100s[%zu]%s%.100s", list, i, dot, name);
	for (size_t k = 0; k < n; k++) {
		if (strcmp(v[k].key, key) != 0)
			continue;
		if (line)
			*line = v[k].line;
		return v[k].value;
	}
	return NULL;
}

size_t flat_count(const struct flat_entry *v, size_t n, const char *list)
{
	size_t count = 0, len = strlen(list);

	for (size_t i = 0; i < n; i++) {
		if (strncmp(v[i].key, list, len) || v[i].key[len] != '[')
			continue;
		size_t index = strtoul(v[i].key + len + 1, NULL, 10);
		count = MAX(index + 1, count);
	}
	return count;
}

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
	/* an alias stands for all that is in what it names, wherever it is used */
	struct budget budget;
};

static void put(struct yaml_flattener *r, const char *key, const yaml_node_t *value)
{
	if ((r->full = r->n == MAX_ENTRIES)) {
		budget_report_limit(&r->budget, MAX_ENTRIES, "values", value->start_mark.line + 1);
		return;
	}
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = (struct flat_entry){ key,
		arena_strn(r->a, (const char *)value->data.scalar.value, value->data.scalar.length),
		(uint32_t)value->start_mark.line + 1 };
}

static void walk(
    struct yaml_flattener *r, yaml_document_t *d, const yaml_node_t *n, const char *way, int depth)
{
	size_t i = 0, line = n ? n->start_mark.line + 1 : 0;

	if (!n || r->full || strlen(way) > LONGEST_KEY ||
	    !budget_check_depth(&r->budget, (size_t)depth, line) || !budget_spend(&r->budget, 1, line))
		return;
	if (n->type == YAML_MAPPING_NODE) {
		for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
		     p++) {
			const yaml_node_t *key = yaml_document_get_node(d, p->key);
			if (key && key->type == YAML_SCALAR_NODE)
				walk(r, d, yaml_document_get_node(d, p->value),
				    arena_printf(
				        r->a, "%s%s%s", way, *way ? "." : "", (const char *)key->data.scalar.value),
				    depth + 1);
		}
	} else if (n->type == YAML_SEQUENCE_NODE) {
		for (const yaml_node_item_t *p = n->data.sequence.items.start;
		     p < n->data.sequence.items.top; p++)
			walk(r, d, yaml_document_get_node(d, *p), arena_printf(r->a, "%s[%zu]", way, i++),
			    depth + 1);
	} else {
		put(r, way, n);
	}
}

int flat_read(const char *text, size_t n, struct arena *a,
    void (*each)(void *, const struct flat_entry *, size_t), void *arg, struct err *e)
{
	struct yaml_flattener r = { .a = a };
	yaml_parser_t parser;
	yaml_document_t d;
	bool ok, more = true;

	yaml_open_text(&parser, text, n);
	budget_begin(&r.budget, BUDGET_FLAT, n, a);
	while (more && !r.budget.exceeded && (ok = yaml_parser_load(&parser, &d))) {
		const yaml_node_t *root = yaml_document_get_root_node(&d);
		more = root != NULL;
		r.n = 0;
		r.full = false;
		walk(&r, &d, root, "", 0);
		if (root && !r.budget.exceeded)
			each(arg, r.v, r.n);
		yaml_document_delete(&d);
	}
	if (r.budget.exceeded)
		err_set(e, ERR_INVALID_INPUT, "%s: aliases may not stand for that much", r.budget.exceeded);
	else if (more)
		err_set(e, ERR_INVALID_INPUT, "line %zu: %s", parser.problem_mark.line + 1,
		    parser.problem ? parser.problem : "it is no YAML");
	yaml_parser_delete(&parser);
	free(r.v);
	if (more || r.budget.exceeded)
		return -1;
	return 0;
}

/* ---- what may be in a file ---- */

/* The key without the numbers of its elements. */
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

static const char *value_fault(enum flat_kind kind, const char *s)
{
	static const char *const methods[] = { "ANY", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
		"OPTIONS" };

	switch (kind) {
	case FLAT_TEXT: return *s ? NULL : "is empty";
	case FLAT_NAME:
		if (!*s || strlen(s) > LONGEST_NAME ||
		    s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:*")])
			return "is no name or host: letters, digits, . _ - and a port";
		return NULL;
	case FLAT_PATH:
		return *s != '/' || strpbrk(s, " \t\n?#") ?
		    "is no path: it begins with / and has no blank" :
		    NULL;
	case FLAT_METHOD:
		for (size_t i = 0; i < LEN(methods); i++)
			if (!strcmp(methods[i], s))
				return NULL;
		return "is no method: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS or ANY";
	case FLAT_TARGET:
		return !*s || *s == '/' || strpbrk(s, " \t\n?#") ?
		    "is no target: host, host:port/path or a URL" :
		    NULL;
	}
	return NULL;
}

static int unknown(const char *file, const struct flat_entry *f, const struct flat_rule *rules,
    size_t nrules, struct err *e)
{
	char known[160] = "";
	size_t list = strcspn(f->key, "[."), alike = 0;

	for (size_t i = 0; i < nrules; i++)
		alike += list && !strncmp(rules[i].key, f->key, list);
	for (size_t i = 0; i < nrules; i++) {	/* those of its list, else all lists */
		size_t n = strlen(known), len = alike ? strlen(rules[i].key) : strcspn(rules[i].key, "[");
		bool again = !alike && i && !strncmp(rules[i - 1].key, rules[i].key, len + 1);
		if (!again && (!alike || !strncmp(rules[i].key, f->key, list)))
			snprintf(known + n, sizeof known - n, "%s%.*s", n ? ", " : "", (int)len, rules[i].key);
	}
	return err_set(e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: no such key; there are %s", file, f->line,
	    f->key, known);
}

/* What every element must have, and that of `f` has not. */
static const char *missing(const struct flat_entry *v, size_t n, const struct flat_entry *f,
    const struct flat_rule *r, char key[LONGEST_KEY * 2])
{
	const char *dot = strstr(r->key, "[].");
	size_t list = dot ? (size_t)(dot - r->key) : 0, digits;

	if (!dot || strncmp(f->key, r->key, list) || f->key[list] != '[')
		return NULL;
	digits = strspn(f->key + list + 1, "0123456789");
	snprintf(key, LONGEST_KEY * 2, "%.*s%s", (int)(list + digits + 2), f->key, dot + 2);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].key, key))
			return NULL;
	return key;
}

int flat_check(const char *file, const struct flat_entry *v, size_t n,
    const struct flat_rule *rules, size_t nrules, struct err *e)
{
	char key[LONGEST_KEY * 2];

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < nrules && strcmp(rules[k].key, strip_indices(v[i].key, key)))
			k++;
		if (k == nrules)
			return unknown(file, &v[i], rules, nrules, e);
		const char *what = value_fault(rules[k].kind, v[i].value), *lacks = NULL;
		if (what)
			return err_set(e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: `%.60s` %s", file, v[i].line,
			    v[i].key, v[i].value, what);
		for (k = 0; k < nrules && !lacks; k++) {
			if (rules[k].must)
				lacks = missing(v, n, &v[i], &rules[k], key);
			else
				lacks = NULL;
		}
		if (lacks)
			return err_set(
			    e, ERR_INVALID_INPUT, "%s:%u: `%.60s`: is missing", file, v[i].line, lacks);
	}
	return 0;
}

const char *flat_get(const struct flat_entry *v, size_t n, const char *list, size_t i,
    const char *name, uint32_t *line)
{
	char key[LONGEST_KEY * 2];

	snprintf(key, sizeof key, "%.100s[%zu]%s%.100s", list, i, *name ? "." : "", name);
	for (size_t k = 0; k < n; k++)
		if (!strcmp(v[k].key, key)) {
			if (line)
				*line = v[k].line;
			return v[k].value;
		}
	return NULL;
}

size_t flat_count(const struct flat_entry *v, size_t n, const char *list)
{
	size_t most = 0, len = strlen(list);

	for (size_t i = 0; i < n; i++)
		if (!strncmp(v[i].key, list, len) && v[i].key[len] == '[') {
			size_t at = strtoul(v[i].key + len + 1, NULL, 10) + 1;
			most = MAX(at, most);
		}
	return most;
}

#include "proto/process/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/version.h"
#include "proto/process/suggest.h"

struct option_parser {
	const struct opt *rows;
	size_t n;
	char *o;
	struct arena *a;
	struct err *e;
};

const char *options_flag_name(const struct opt *r, struct arena *a)
{
	char *s = arena_str(a, r->name);

	for (char *p = s; *p; p++)
		if (*p == '_')
			*p = '-';
	return s;
}

const char *options_read_secret(const char *flag, const char *path, struct arena *a, struct err *e)
{
	char line[4096] = "";
	FILE *f = fopen(path, "re");

	if (!f) {
		err_set(e, ERR_INVALID_INPUT, "--%s %s: %s", flag, path, strerror(errno));
		return NULL;
	}
	bool got = fgets(line, sizeof line, f);
	fclose(f);
	line[strcspn(line, "\r\n")] = 0;
	if (!got || !*line) {
		err_set(e, ERR_INVALID_INPUT, "--%s %s: empty", flag, path);
		return NULL;
	}
	return arena_str(a, line);
}

/* Whether what the file of the row holds is a secret. */
static bool is_secret_file(const struct opt *r)
{
	static const char *const words[] = { "key", "secret", "password", "token" };
	const char *end = strrchr(r->name, '_');

	if (r->type != OPT_str || !end || strcmp(end, "_file"))
		return false;
	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(r->name, words[i]))
			return true;
	return false;
}

static const char *text_of(const struct opt *r, const char *o)
{
	return *(const opt_str *)(o + r->off);
}

/* Whether the file of another row stands for the secret. */
static bool is_in_file(const struct opt *rows, size_t n, const char *o, const struct opt *secret)
{
	size_t k = strlen(secret->name);

	for (size_t i = 0; i < n; i++)
		if (!strncmp(rows[i].name, secret->name, k) && !strcmp(rows[i].name + k, "_file"))
			return *text_of(&rows[i], o) != 0;
	return false;
}

static const char *origin_of(const struct opt *r, const char *value, struct arena *a)
{
	const char *variable = options_env_name(r, a);

	if (variable && !strcmp(getenv(variable), value))
		return variable;
	if (r->type == OPT_secret)
		return "--config";
	return arena_printf(a, "--%s", options_flag_name(r, a));
}

struct secret_origin *options_list_secrets(
    const struct opt *rows, size_t n, const void *o, size_t *found, struct arena *a)
{
	struct secret_origin *v = arena_many(a, n + 1, struct secret_origin);

	*found = 0;
	for (size_t i = 0; i < n; i++) {
		const struct opt *r = &rows[i];
		bool file = is_secret_file(r);
		if (!file && r->type != OPT_secret)
			continue;
		const char *value = text_of(r, o), *flag = options_flag_name(r, a);
		if (!*value || is_in_file(rows, n, o, r))
			continue;
		size_t name = strlen(flag) - (file ? strlen("-file") : 0);
		v[(*found)++] = (struct secret_origin){ arena_strn(a, flag, name), origin_of(r, value, a) };
	}
	return v;
}

static void list_add(struct string_list *l, const char *s, struct arena *a)
{
	const char **v = arena_many(a, l->n + 1, const char *);

	if (l->n)
		memcpy(v, l->v, l->n * sizeof *v);
	v[l->n++] = s;
	l->v = v;
}

static void list_split(struct string_list *l, const char *s, struct arena *a)
{
	l->n = 0;
	while (*s) {
		size_t n = strcspn(s, ",");
		if (n)
			list_add(l, arena_strn(a, s, n), a);
		s += n + (s[n] == ',');
	}
}

/* `origin` says where the value stands, for the error. */
static int set(struct option_parser *p, const struct opt *r, const char *s, const char *origin)
{
	char *end, *field = p->o + r->off;

	switch (r->type) {
	case OPT_str:
	case OPT_secret:
		*(opt_str *)field = arena_str(p->a, s);
		return 0;
	case OPT_list:
		list_split((struct string_list *)field, s, p->a);
		return 0;
	case OPT_flag:
		if (!strcmp(s, "true") || !strcmp(s, "1") || !strcmp(s, "yes"))
			*(opt_flag *)field = true;
		else if (!strcmp(s, "false") || !strcmp(s, "0") || !strcmp(s, "no") || !*s)
			*(opt_flag *)field = false;
		else
			return err_set(
			    p->e, ERR_INVALID_INPUT, "%s: `%s` is neither true nor false", origin, s);
		return 0;
	case OPT_num:
		errno = 0;
		*(opt_num *)field = strtoll(s, &end, 10);
		if (errno || end == s || *end)
			return err_set(p->e, ERR_INVALID_INPUT, "%s: `%s` is not a whole number", origin, s);
		return 0;
	}
	return 0;
}

static const struct opt *find(struct option_parser *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->n; i++) {
		const char *flag = options_flag_name(&p->rows[i], p->a);
		if (strlen(flag) == n && !strncmp(flag, name, n))
			return &p->rows[i];
	}
	return NULL;
}

/* Says that there is no such option, and which may have been meant. */
static int unknown(
    struct option_parser *p, const char *origin, const char *dashes, const char *name, size_t n)
{
	const char **names = arena_many(p->a, p->n, const char *), *typed = arena_strn(p->a, name, n);
	const char *near[SUGGEST_MAX], *meant = "";
	size_t k = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->rows[i].type != OPT_secret || !*dashes)
			names[k++] = options_flag_name(&p->rows[i], p->a);
	k = suggest_pick(typed, names, k, near, p->a);
	for (size_t i = 0; i < k; i++)
		meant = arena_printf(p->a, "%s%s`%s%s`", meant, i ? ", " : "; near it: ", dashes, near[i]);
	return err_set(p->e, ERR_INVALID_INPUT, "%sno option `%s%s`%s", origin, dashes, typed, meant);
}

static int from_file(struct option_parser *p, const char *path)
{
	char line[4096], origin[300];
	FILE *f = fopen(path, "r");
	int rc = 0;

	if (!f)
		return err_set(p->e, ERR_INVALID_INPUT, "--config %s: %s", path, strerror(errno));
	for (int no = 1; !rc && fgets(line, sizeof line, f); no++) {
		char *s = line + strspn(line, " \t"), *eq = strchr(s, '=');
		for (size_t k = strlen(s); k && isspace((unsigned char)s[k - 1]); k--)
			s[k - 1] = 0;
		if (!*s || *s == '#')
			continue;
		snprintf(origin, sizeof origin, "%s:%d", path, no);
		size_t n = eq ? strcspn(s, " \t=") : 0;
		const struct opt *r = NULL;
		if (eq)
			r = find(p, s, n);
		if (!eq)
			rc = err_set(p->e, ERR_INVALID_INPUT, "%s: not `option = value`: %s", origin, s);
		else if (!r)
			rc = unknown(p, arena_printf(p->a, "%s: ", origin), "", s, n);
		else
			rc = set(p, r, eq + 1 + strspn(eq + 1, " \t"),
			    arena_printf(p->a, "%s: %s", origin, options_flag_name(r, p->a)));
	}
	fclose(f);
	return rc;
}

/* ATOLL_<NAME> of a row, in `a`. */
static char *default_env_name(const struct opt *r, struct arena *a)
{
	char *name = arena_printf(a, "ATOLL_%s", r->name);

	for (char *c = name; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return name;
}

const char *options_env_name(const struct opt *r, struct arena *a)
{
	const char *own = default_env_name(r, a);

	if (getenv(own))
		return own;
	char *more = arena_str(a, r->env), *rest = more;
	for (char *name; (name = strsep(&rest, " "));)
		if (*name && getenv(name))
			return name;
	return NULL;
}

static int from_env(struct option_parser *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const char *name = options_env_name(&p->rows[i], p->a);
		if (name && set(p, &p->rows[i], getenv(name), name))
			return -1;
	}
	return 0;
}

static void help(struct option_parser *p, const char *usage)
{
	printf("%s\n\noptions:\n", usage);
	for (size_t i = 0; i < p->n; i++) {
		const struct opt *r = &p->rows[i];
		char left[64];
		if (r->type == OPT_secret)
			snprintf(left, sizeof left, "(environment only)");
		else
			snprintf(left, sizeof left, "--%s %s", options_flag_name(r, p->a), r->arg);
		printf("  %-30s %s", left, r->help);
		if (*r->def && r->type != OPT_flag)
			printf(" [%s]", r->def);
		printf(" (%s%s%s)\n", default_env_name(r, p->a), *r->env ? ", else " : "", r->env);
	}
	printf("  %-30s %s\n  %-30s %s\n  %-30s %s\n", "--config FILE", "lines `option = value`",
	    "--help", "this text", "--version", "print the version");
}

/* One word of the command line, and perhaps the next; how many words were used, or -1. */
static int flag(struct option_parser *p, const char *word, const char *next)
{
	const char *name = word + 2, *eq = strchr(name, '=');
	size_t n = eq ? (size_t)(eq - name) : strlen(name);
	const struct opt *r = find(p, name, n);

	if (!r)
		return unknown(p, "", "--", name, n);
	if (r->type == OPT_secret)
		return err_set(p->e, ERR_INVALID_INPUT,
		    "--%.*s would be seen by everybody on this machine: it stands in the environment alone",
		    (int)n, name);
	if (r->type == OPT_list && (eq || next)) {
		list_add((struct string_list *)(p->o + r->off), eq ? eq + 1 : next, p->a);
		return eq ? 1 : 2;
	}
	if (eq) {
		if (set(p, r, eq + 1, word))
			return -1;
		return 1;
	}
	if (r->type == OPT_flag) {
		if (set(p, r, "true", word))
			return -1;
		return 1;
	}
	if (!next)
		return err_set(p->e, ERR_INVALID_INPUT, "--%s wants %s", name, r->arg);
	if (set(p, r, next, word))
		return -1;
	return 2;
}

static void clear_lists(struct option_parser *p, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2))
			continue;
		const struct opt *r = find(p, argv[i] + 2, strcspn(argv[i] + 2, "="));
		if (r && r->type == OPT_list)
			((struct string_list *)(p->o + r->off))->n = 0;	/* a flag replaces, does not add */
	}
}

static int parse(
    struct option_parser *p, const char *usage, int argc, char **argv, struct string_list *args)
{
	for (size_t i = 0; i < p->n; i++)
		if (set(p, &p->rows[i], p->rows[i].def, p->rows[i].name))
			return -1;
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return help(p, usage), 1;
		if (!strcmp(argv[i], "--version"))
			return printf("atoll %s\n", ATOLL_VERSION), 1;
		if (!strcmp(argv[i], "--config") && i + 1 < argc && from_file(p, argv[i + 1]))
			return -1;
	}
	if (from_env(p))
		return -1;
	clear_lists(p, argc, argv);
	for (int i = 1, used; i < argc; i += used) {
		used = 1;
		if (!strcmp(argv[i], "--")) {
			while (++i < argc)
				list_add(args, argv[i], p->a);
			break;
		}
		if (!strcmp(argv[i], "--config"))
			used = 2;
		else if (strncmp(argv[i], "--", 2))
			list_add(args, argv[i], p->a);
		else if ((used = flag(p, argv[i], i + 1 < argc ? argv[i + 1] : NULL)) < 0)
			return -1;
	}
	return 0;
}

int options_parse(const struct opt *rows, size_t n, void *o, const char *usage, int argc,
    char **argv, struct string_list *args, struct arena *a, struct err *e)
{
	struct option_parser p = { rows, n, o, a, e };
	int rc = parse(&p, usage, argc, argv, args);

	if (rc < 0)
		return err_hint(e, "--help lists the options.");
	return rc;
}

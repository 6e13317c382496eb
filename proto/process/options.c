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

/* Whether the row names a file that holds a secret. */
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

/* Whether the option NAME_file is set, which overrides the secret NAME. */
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
		size_t name = strlen(flag);
		if (file)
			name -= strlen("-file");
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

static bool parse_flag(const char *s, bool *out)
{
	static const struct { const char *text; bool value; } words[] = {
		{ "true", true }, { "1", true }, { "yes", true },
		{ "false", false }, { "0", false }, { "no", false }, { "", false },
	};

	for (size_t i = 0; i < LEN(words); i++)
		if (!strcmp(words[i].text, s)) {
			*out = words[i].value;
			return true;
		}
	return false;
}

static bool parse_number(const char *s, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(s, &end, 10);
	return !errno && end != s && !*end;
}

/* `origin` is where the value comes from, for the error message. */
static int set(struct option_parser *p, const struct opt *r, const char *s, const char *origin)
{
	char *field = p->o + r->off;

	switch (r->type) {
	case OPT_str:
	case OPT_secret: *(opt_str *)field = arena_str(p->a, s); break;
	case OPT_list: list_split((struct string_list *)field, s, p->a); break;
	case OPT_flag:
		if (!parse_flag(s, (opt_flag *)field))
			return err_set(
			    p->e, ERR_INVALID_INPUT, "%s: `%s` is neither true nor false", origin, s);
		break;
	case OPT_num:
		if (!parse_number(s, (opt_num *)field))
			return err_set(p->e, ERR_INVALID_INPUT, "%s: `%s` is not a whole number", origin, s);
		break;
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

/* Reports an unknown option, and suggests similar ones. */
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
	for (size_t i = 0; i < k; i++) {
		const char *comma = i ? ", " : "";
		meant = arena_printf(p->a, "%s%s`%s%s`", meant, comma, dashes, near[i]);
	}
	return err_set(p->e, ERR_INVALID_INPUT, "%sno option `%s%s`%s", origin, dashes, typed,
	    suggest_phrase(meant, p->a));
}

/* Sets the option of one line of a file.  `origin` is the file and the number of the line. */
static int from_line(struct option_parser *p, char *line, const char *origin)
{
	char *s = line + strspn(line, " \t"), *eq = strchr(s, '=');

	for (size_t k = strlen(s); k && isspace((unsigned char)s[k - 1]); k--)
		s[k - 1] = 0;
	if (!*s || *s == '#')
		return 0;
	if (!eq)
		return err_set(p->e, ERR_INVALID_INPUT, "%s: not `option = value`: %s", origin, s);
	size_t n = strcspn(s, " \t=");
	const struct opt *r = find(p, s, n);
	if (!r)
		return unknown(p, arena_printf(p->a, "%s: ", origin), "", s, n);
	const char *value = eq + 1 + strspn(eq + 1, " \t");
	return set(p, r, value, arena_printf(p->a, "%s: %s", origin, options_flag_name(r, p->a)));
}

static int from_file(struct option_parser *p, const char *path)
{
	char line[4096], origin[300];
	FILE *f = fopen(path, "r");
	int rc = 0;

	if (!f)
		return err_set(p->e, ERR_INVALID_INPUT, "--config %s: %s", path, strerror(errno));
	for (int no = 1; !rc && fgets(line, sizeof line, f); no++) {
		snprintf(origin, sizeof origin, "%s:%d", path, no);
		rc = from_line(p, line, origin);
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
	char *rest = arena_str(a, r->env);
	while (rest) {
		const char *name = strsep(&rest, " ");
		if (*name && getenv(name))
			return name;
	}
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
		printf(" (%s", default_env_name(r, p->a));
		if (*r->env)
			printf(", else %s", r->env);
		printf(")\n");
	}
	printf("  %-30s %s\n  %-30s %s\n  %-30s %s\n", "--config FILE", "lines `option = value`",
	    "--help", "this text", "--version", "print the version");
}

/* Sets the option of `word`, a flag.  A list gains an element. */
static int set_flag(
    struct option_parser *p, const struct opt *r, const char *value, const char *word)
{
	if (r->type != OPT_list)
		return set(p, r, value, word);
	list_add((struct string_list *)(p->o + r->off), value, p->a);
	return 0;
}

/* Parses a flag of the command line.  Returns how many words it takes, or -1. */
static int parse_word(struct option_parser *p, const char *word, const char *next)
{
	const char *name = word + 2, *value = strchr(name, '=');
	size_t n = strcspn(name, "=");
	const struct opt *r = find(p, name, n);
	int used = 1;

	if (!r)
		return unknown(p, "", "--", name, n);
	if (r->type == OPT_secret)
		return err_set(p->e, ERR_INVALID_INPUT,
		    "--%.*s would be visible to everybody on this machine: set it in the environment",
		    (int)n, name);
	if (value) {
		value++;
	} else if (r->type == OPT_flag) {
		value = "true";
	} else {
		value = next;
		used = 2;
	}
	if (!value)
		return err_set(p->e, ERR_INVALID_INPUT, "--%s needs a value: %s", name, r->arg);
	if (set_flag(p, r, value, word))
		return -1;
	return used;
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

/* The flags that come before all others: 1 for --help and --version, else reads --config files. */
static int parse_first(struct option_parser *p, const char *usage, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			help(p, usage);
			return 1;
		}
		if (!strcmp(argv[i], "--version")) {
			printf("atoll %s\n", ATOLL_VERSION);
			return 1;
		}
		if (!strcmp(argv[i], "--config") && i + 1 < argc && from_file(p, argv[i + 1]))
			return -1;
	}
	return 0;
}

/* The other flags, and the words that are no flags; all words after `--` are none. */
static int parse_words(struct option_parser *p, int argc, char **argv, struct string_list *args)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--")) {
		int used = 1;
		if (!strcmp(argv[i], "--config"))
			used = 2;
		else if (!strncmp(argv[i], "--", 2))
			used = parse_word(p, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
		else
			list_add(args, argv[i], p->a);
		if (used < 0)
			return -1;
		i += used;
	}
	for (i++; i < argc; i++)
		list_add(args, argv[i], p->a);
	return 0;
}

static int parse(
    struct option_parser *p, const char *usage, int argc, char **argv, struct string_list *args)
{
	for (size_t i = 0; i < p->n; i++)
		if (set(p, &p->rows[i], p->rows[i].def, p->rows[i].name))
			return -1;
	int rc = parse_first(p, usage, argc, argv);
	if (rc)
		return rc;
	if (from_env(p))
		return -1;
	clear_lists(p, argc, argv);
	return parse_words(p, argc, argv, args);
}

int options_parse(const struct opt *rows, size_t n, void *o, const char *usage, int argc,
    char **argv, struct string_list *args, struct arena *a, struct err *e)
{
	struct option_parser p = { rows, n, o, a, e };
	int rc = parse(&p, usage, argc, argv, args);

	if (rc < 0)
		err_hint(e, "--help lists the options.");
	return rc;
}

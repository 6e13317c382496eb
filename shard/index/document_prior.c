#include "shard/index/document_prior.h"

#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/base/example_path.h"

enum { TEST = 2 };	/* the divisor for tests: larger than the effect of any other reason */

/*
 * The prior of a method of at most so many lines without a doc comment. No other reason gives this
 * prior, so that document_prior_for_names can tell it.
 */
enum { SHORT_METHOD = 85, SHORT_LINES = 4 };

struct prior_rule {
	const char *name;
	int prior;
};

static const struct prior_rule prose[] = { { "text", 60 }, { "markdown", 60 } };

/* Not programs: settings and markup. */
static const struct prior_rule settings[] = {
	{ "html", 70 },
	{ "css", 70 },
	{ "json", 70 },
	{ "yaml", 70 },
	{ "toml", 70 },
	{ "ini", 70 },
	{ "xml", 70 },
	{ "env", 70 },
	{ "dtd", 70 },
	{ "relaxng", 70 },
	{ "dockerfile", 70 },
	{ "gomod", 70 },
	{ "rpmspec", 70 },
};

/* Build files. */
static const struct prior_rule builds[] = {
	{ "makefile", 70 },
	{ "cmake", 70 },
	{ "bazel", 70 },
	{ "autoconf", 70 },
	{ "automake", 70 },
	{ "meson", 70 },
	{ "meson_options", 70 },
	{ "ant", 70 },
	{ "kconfig", 70 },
};

/* Of what is in a folder of examples. */
enum { PRIOR_EXAMPLE = 80 };

/* Folders of vendored code. */
static const struct prior_rule folders[] = {
	{ "third_party", 70 },
	{ "third-party", 70 },
	{ "thirdparty", 70 },
};

/* Folders that mean this only at the root of the repository. */
static const struct prior_rule roots[] = { { "deps", 70 } };

/*
 * Definitions that describe data rather than behaviour; NO_DEFINITION: text outside of definitions.
 */
#define NO_DEFINITION ""
static const struct prior_rule kinds[] = {
	{ NO_DEFINITION, 80 }, { "variable", 80 }, { "constant", 80 }, { "macro", 80 },
	{ "module", 80 }, { "struct", 90 }, { "union", 90 }, { "enum", 90 }, { "type", 90 },
	{ "interface", 90 }, { "trait", 90 },
};

/* The smallest of `prior` and the priors of the rules that have this name. */
static int least(int prior, const struct prior_rule *v, size_t n, const char *name, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].prior < prior && !strncmp(v[i].name, name, length) && !v[i].name[length])
			prior = v[i].prior;
	return prior;
}

/* Folders below `src` are packages: com/example/demo is the code itself. */
static int of_folders(int prior, const char *path)
{
	const char *name = path, *slash = strchr(path, '/');

	while (slash) {
		size_t n = (size_t)(slash - name);
		if (n == 3 && !memcmp(name, "src", 3))
			break;
		prior = least(prior, folders, LEN(folders), name, n);
		if (name == path)
			prior = least(prior, roots, LEN(roots), name, n);
		name = slash + 1;
		slash = strchr(name, '/');
	}
	return prior;
}

int document_prior_of_names(const char *language, const char *path)
{
	int prior = least(PRIOR_FULL, prose, LEN(prose), language, strlen(language));

	prior = least(prior, settings, LEN(settings), language, strlen(language));
	if (path_is_example(path))
		prior = MIN(prior, PRIOR_EXAMPLE);
	return of_folders(prior, path);
}

int document_prior_of_file(bool test, const char *language, const char *path)
{
	int prior = document_prior_of_names(language, path);

	prior = least(prior, builds, LEN(builds), language, strlen(language));
	if (test)
		return prior / TEST;
	return prior;
}

static bool is_short_method(const struct text_traits *t)
{
	if (t->documented || t->lines > SHORT_LINES)
		return false;
	return t->kind && !strcmp(t->kind, "method");
}

int document_prior_of_text(int file, const struct text_traits *t)
{
	const char *name = t->kind ? t->kind : NO_DEFINITION;
	int prior = least(file, kinds, LEN(kinds), name, strlen(name));

	if (is_short_method(t))
		prior = MIN(prior, SHORT_METHOD);
	if (t->test)
		return prior / TEST;
	return prior;
}

int document_prior_for_names(int prior)
{
	if (prior == SHORT_METHOD)
		return PRIOR_FULL;
	if (prior == SHORT_METHOD / TEST)
		return PRIOR_FULL / TEST;
	return prior;
}

bool language_is_prose(const char *language)
{
	return least(PRIOR_FULL, prose, LEN(prose), language, strlen(language)) < PRIOR_FULL;
}

int document_prior_for_tests(int prior)
{
	if (prior * TEST <= PRIOR_FULL)
		return prior * TEST;
	return prior;
}

#include "shard/index/document_prior.h"

#include <string.h>

#include "proto/base/buf.h"

enum { TEST = 2 };	/* how many times less a test is worth: more than any other reason */

struct prior_rule {
	const char *name;
	int prior;
};

static const struct prior_rule prose[] = { { "text", 60 }, { "markdown", 60 } };

/* What is no program: settings, markup, and what builds. */
static const struct prior_rule languages[] = {
	{ "html", 70 }, { "css", 70 }, { "json", 70 }, { "yaml", 70 }, { "toml", 70 }, { "ini", 70 },
	    { "xml", 70 }, { "env", 70 },
	{ "makefile", 70 }, { "cmake", 70 }, { "bazel", 70 }, { "m4", 70 }, { "dockerfile", 70 },
	    { "gomod", 70 },
	{ "autoconf", 70 }, { "automake", 70 }, { "meson", 70 }, { "meson_options", 70 }, { "ant", 70 },
	    { "kconfig", 70 },
	{ "rpmspec", 70 }, { "dtd", 70 }, { "relaxng", 70 },
};

/* Folders of what shows how to use the rest, and of what was copied from elsewhere. */
static const struct prior_rule folders[] = {
	{ "example", 80 }, { "examples", 80 }, { "sample", 80 }, { "samples", 80 }, { "demo", 80 },
	    { "demos", 80 },
	{ "benchmark", 80 }, { "benchmarks", 80 },
	{ "third_party", 70 }, { "third-party", 70 }, { "thirdparty", 70 },
};

/* further down it may be anything */
static const struct prior_rule roots[] = { { "deps", 70 } };

/*
 * What says what there is rather than what is done; NO_DEFINITION: what stands outside of
 * definitions.
 */
#define NO_DEFINITION ""
static const struct prior_rule kinds[] = {
	{ NO_DEFINITION, 80 }, { "variable", 80 }, { "constant", 80 }, { "macro", 80 },
	    { "module", 80 },
	{ "struct", 90 }, { "union", 90 }, { "enum", 90 }, { "type", 90 }, { "interface", 90 },
	    { "trait", 90 },
};

static int least(int prior, const struct prior_rule *v, size_t n, const char *name, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].prior < prior && !strncmp(v[i].name, name, length) && !v[i].name[length])
			prior = v[i].prior;
	return prior;
}

/* Below `src` names are those of packages: com/example/demo is the code itself. */
static int of_folders(int prior, const char *path)
{
	const char *at = path;

	for (const char *slash;
	     (slash = strchr(at, '/')) && !(slash == at + 3 && !memcmp(at, "src", 3)); at = slash + 1) {
		size_t n = (size_t)(slash - at);
		prior = least(prior, folders, LEN(folders), at, n);
		if (at == path)
			prior = least(prior, roots, LEN(roots), at, n);
	}
	return prior;
}

int document_prior_of_file(bool test, const char *language, const char *path)
{
	int prior = least(PRIOR_FULL, prose, LEN(prose), language, strlen(language));

	prior = least(prior, languages, LEN(languages), language, strlen(language));
	prior = of_folders(prior, path);
	return test ? prior / TEST : prior;
}

int document_prior_of_text(int file, const char *kind, bool test)
{
	const char *name = kind ? kind : NO_DEFINITION;
	int prior = least(file, kinds, LEN(kinds), name, strlen(name));

	return test ? prior / TEST : prior;
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

#include "shard/contracts/specs/operations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/facts/facts.h"
#include "shard/formats/yaml_tree.h"

/* A text that lacks one of the words is not of the form; checked before anything is parsed. */
static const struct form {
	const char *words[3];
	size_t (*find)(const struct yaml *, struct arena *, struct operation **);
} forms[] = {
	{ { "paths", "openapi" }, openapi_find },
	{ { "paths", "swagger" }, openapi_find },
	{ { "AWS::Serverless::", "Resources" }, serverless_find },
	{ { "handler", "events" }, serverless_find },
	{ { "responses:" }, openapi_items },
};

static bool speaks(const struct form *f, const char *text, size_t n)
{
	for (size_t i = 0; i < LEN(f->words) && f->words[i]; i++)
		if (!memmem(text, n, f->words[i], strlen(f->words[i])))
			return false;
	return true;
}

static void read_keys(const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct yaml *root = NULL;
	bool read = false;

	for (size_t i = 0; i < LEN(forms) && !out->operations.n; i++) {
		if (!speaks(&forms[i], text, n))
			continue;
		if (!read)
			root = yaml_read(text, n, a);
		read = true;
		for (const struct yaml *y = root; y && !out->operations.n; y = y->next)
			out->operations.n = forms[i].find(y, a, &out->operations.v);
	}
}

void operations_find(
    const char *language, const char *text, size_t n, struct arena *a, struct facts *out)
{
	if (!strcmp(language, "yaml") || !strcmp(language, "json"))
		read_keys(text, n, a, out);
	else if (!strcmp(language, "protobuf"))
		out->operations.n = transcoding_find(text, n, a, &out->operations.v);
	else if (!strcmp(language, "graphql"))
		out->operations.n = graphql_read(text, n, 0, a, &out->operations.v);
}

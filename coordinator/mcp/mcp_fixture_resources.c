#include "coordinator/mcp/mcp_fixtures.h"

#include <string.h>

#include "coordinator/mcp/mcp_request.h"
#include "proto/base/arena.h"

static const struct {
	const char *uri, *name, *type, *contents;
} fixed[] = {
#define FIXED(uri, name, type, contents) { uri, name, type, contents },
#include "coordinator/mcp/mcp_fixtures.def"
};

#define TEMPLATE_HEAD "test://template/"
#define TEMPLATE_TAIL "/data"

void fixture_resources(const struct mcp_request *t, struct buf *out)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(fixed); i++)
		buf_printf(out,
		    ",{\"uri\":\"%s\",\"name\":\"%s\",\"description\":\"for the official suite\","
		    "\"mimeType\":\"%s\"}",
		    fixed[i].uri, fixed[i].name, fixed[i].type);
}

void fixture_templates(const struct mcp_request *t, struct buf *out)
{
	if (mcp_conformance_enabled(t))
		buf_str(out,
		    ",{\"uriTemplate\":\"" TEMPLATE_HEAD "{id}" TEMPLATE_TAIL "\",\"name\":\"template\","
		    "\"description\":\"for the official suite\",\"mimeType\":\"application/json\"}");
}

/* The value of the template's variable in the URI, or NULL. */
static const char *template_id(const struct mcp_request *t, const char *uri)
{
	size_t n = strlen(uri), head = sizeof TEMPLATE_HEAD - 1, tail = sizeof TEMPLATE_TAIL - 1;

	if (!mcp_conformance_enabled(t) || n <= head + tail)
		return NULL;
	if (strncmp(uri, TEMPLATE_HEAD, head) || strcmp(uri + n - tail, TEMPLATE_TAIL))
		return NULL;
	return arena_strn(t->a, uri + head, n - head - tail);
}

bool fixture_resource(const struct mcp_request *t, const char *uri)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(fixed); i++)
		if (!strcmp(fixed[i].uri, uri))
			return true;
	return template_id(t, uri);
}

static void contents(struct mcp_request *t, const char *uri, const char *type, const char *members)
{
	struct buf b = { 0 };

	mcp_result_open(t, &b);
	buf_str(&b, "\"contents\":[{\"uri\":");
	json_quote(&b, uri);
	buf_printf(&b, ",\"mimeType\":\"%s\",%s}]", type, members);
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

bool fixture_read(struct mcp_request *t, const char *uri)
{
	const char *id = template_id(t, uri);
	struct buf b = { 0 };

	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(fixed); i++)
		if (!strcmp(fixed[i].uri, uri)) {
			contents(t, uri, fixed[i].type, fixed[i].contents);
			return true;
		}
	if (!id)
		return false;
	buf_str(&b, "\"text\":");
	json_quote(&b,
	    arena_printf(
	        t->a, "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}", id, id));
	contents(t, uri, "application/json", b.p);
	buf_free(&b);
	return true;
}

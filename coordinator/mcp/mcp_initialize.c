/* The first messages of a client: initialize, ping, server/discover, logging/setLevel. */
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_session.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/base/version.h"

#define FIRST_ELICITATION "2025-06-18"
#define FIRST_PRIMED "2025-11-25"	/* older clients cannot read an event without data */

static const char instructions[] =
    "Atoll answers questions about code in many git repositories at once. If you do not know"
    " what exists, call list_repos or group_list first. Every result names its repository by"
    " repo_uri; pass it back as repo_uri to the tools for one repository. Without it, a name that"
    " fits several repositories returns AMBIGUOUS_REPO with the choices. Tools for one"
    " repository: query finds definitions, context describes one, impact lists what a change to"
    " it affects, also in other repositories, signature shows its outline, route_map lists the"
    " routes that a repository serves and their callers, api_impact lists what a change to a"
    " route affects, and detect_changes lists what a commit or diff touches. Where `epistemic` is"
    " lower-bound, there may be more than the result shows. The group_* tools cover all"
    " repositories of a group: if `complete` is false, some members did not answer and `coverage`"
    " names them, so tell the user that the answer is partial. group_contracts lists who serves"
    " and who calls each HTTP route, gRPC method and topic; group_cross_repo_links lists the"
    " dependencies between repositories; run group_sync after repositories were re-indexed. A"
    " list that has more results ends with next_cursor.";

/*
 * Only resources change while a coordinator runs; the fixtures of the official suite change tools
 * and prompts too.
 */
bool mcp_may_notify(const struct mcp_request *t, enum mcp_change news)
{
	return news == MCP_RESOURCES_CHANGED || mcp_conformance_enabled(t);
}

static const char *list_changed(const struct mcp_request *t, enum mcp_change news)
{
	if (mcp_may_notify(t, news))
		return "\"listChanged\":true";
	return "";
}

static void put_capabilities(const struct mcp_request *t, struct buf *out)
{
	buf_printf(out, "\"capabilities\":{\"tools\":{%s},\"prompts\":{%s},",
	    list_changed(t, MCP_TOOLS_CHANGED), list_changed(t, MCP_PROMPTS_CHANGED));
	buf_printf(out, "\"resources\":{\"subscribe\":true,%s},\"completions\":{}",
	    list_changed(t, MCP_RESOURCES_CHANGED));
	if (mcp_conformance_enabled(t) && !t->modern)
		buf_str(out, ",\"logging\":{}");
	buf_byte(out, '}');
}

void mcp_initialize(struct mcp_request *t)
{
	const char *asked = json_text(t->p.protocolVersion, t->a);
	struct buf b = { 0 };

	if (!asked) {
		mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`params.protocolVersion` is missing or not a string");
		return;
	}
	const char *version = LATEST_HANDSHAKE;
	if (mcp_is_handshake(asked))
		version = asked;
	unsigned can = mcp_parse_capabilities(t->p.capabilities);
	if (strcmp(version, FIRST_ELICITATION) < 0)
		can &= ~(unsigned)CAN_ELICIT;
	if (t->co)
		t->session = session_new(t->co->mcp, t->caller, can, !strcmp(version, FIRST_PRIMED));
	if (t->session)
		t->header = arena_printf(t->a, "Mcp-Session-Id: %s", session_id(t->session));
	mcp_result_open(t, &b);
	buf_printf(&b, "\"protocolVersion\":\"%s\",", version);
	put_capabilities(t, &b);
	buf_str(&b,
	    ",\"serverInfo\":{\"name\":\"atoll\",\"title\":\"Atoll\",\"version\":\"" ATOLL_VERSION
	    "\"},\"instructions\":");
	json_quote(&b, instructions);
	mcp_result_send(t, &b);
}

void mcp_ping(struct mcp_request *t)
{
	struct buf b = { 0 };

	mcp_result_open(t, &b);
	mcp_result_send(t, &b);
}

void mcp_discover(struct mcp_request *t)
{
	struct buf b = { 0 };

	mcp_result_open(t, &b);
	buf_str(&b, "\"supportedVersions\":[\"" REVISION_STATELESS "\"],");
	put_capabilities(t, &b);
	mcp_result_put_cache(t, &b);
	buf_str(&b, ",\"instructions\":");
	json_quote(&b, instructions);
	mcp_result_send(t, &b);
}

/* Only the fixtures send log messages, and they ignore the level. */
void mcp_set_level(struct mcp_request *t)
{
	static const char *const levels[] = { "debug", "info", "notice", "warning", "error", "critical",
		"alert", "emergency" };
	const char *level = json_text(t->p.level, t->a);
	bool known = false;

	for (size_t i = 0; level && i < LEN(levels); i++)
		known |= !strcmp(level, levels[i]);
	if (!mcp_conformance_enabled(t))
		mcp_request_fail(t, 200, NO_METHOD, NULL, "this server sends no log messages");
	else if (!known)
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
		    "unknown `level` `%.40s`; use one of debug … emergency", text_or_empty(level));
	else
		mcp_ping(t);
}

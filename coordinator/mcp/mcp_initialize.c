/* What a client learns first: who answers, what it can be asked. */
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_session.h"
#include "proto/base/arena.h"
#include "proto/base/version.h"

#define FIRST_ELICITATION "2025-06-18"
#define FIRST_PRIMED "2025-11-25"	/* older clients cannot read an event without data */

static const char instructions[] =
    "Atoll answers questions about code in many git repositories at once. Call list_repos or group_list first when you "
    "do not know what exists. Every result names its repository by repo_uri: pass it back as repo_uri to the "
    "tools of one repository; without it several repositories give AMBIGUOUS_REPO with the choices. query finds definitions; "
    "context tells all about one, impact who is affected by changing it, also in other repositories, signature its "
    "outline, route_map what a repository serves and who calls it, api_impact whom a change of a route reaches, detect_changes what a "
    "commit or diff touches: where `epistemic` is lower-bound there may be more than is shown. The group_* tools "
    "answer over all repositories of a group: where `complete` is false some members could not answer and `coverage` "
    "names them, so the answer is partial and you should say so. group_contracts tells who serves and who calls each "
    "HTTP route, gRPC method and topic; group_cross_repo_links who depends on whom; run group_sync after a re-index. "
    "Lists end with next_cursor when there is more.";

/*
 * What changes while a coordinator runs.  Only resources do; fixtures of the official suite say
 * that the others do, too.
 */
bool mcp_may_notify(const struct mcp_request *t, enum mcp_change news)
{
	return news == MCP_RESOURCES_CHANGED || mcp_conformance_enabled(t);
}

static void put_capabilities(const struct mcp_request *t, struct buf *out)
{
	static const char changes[] = "\"listChanged\":true";

	buf_printf(out,
	    "\"capabilities\":{\"tools\":{%s},\"prompts\":{%s},\"resources\":{%s%s},\"completions\":{}%s}",
	    mcp_may_notify(t, MCP_TOOLS_CHANGED) ? changes : "",
	    mcp_may_notify(t, MCP_PROMPTS_CHANGED) ? changes : "", "\"subscribe\":true,", changes,
	    mcp_conformance_enabled(t) && !t->modern ? ",\"logging\":{}" : "");
}

void mcp_initialize(struct mcp_request *t)
{
	const char *asked = json_text(t->p.protocolVersion, t->a);
	struct buf b = { 0 };

	if (!asked) {
		mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`params.protocolVersion` is missing or no string");
		return;
	}
	const char *version = mcp_is_handshake(asked) ? asked : LATEST_HANDSHAKE;
	unsigned can = mcp_parse_capabilities(t->p.capabilities);
	if (strcmp(version, FIRST_ELICITATION) < 0)
		can &= ~(unsigned)CAN_ELICIT;
	t->session = session_new(
	    t->co ? t->co->mcp : NULL, t->caller, can, !strcmp(version, FIRST_PRIMED));
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

/* Nothing is logged to clients but by the fixtures, which send all they have. */
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
		    "`level` `%.40s` is none of debug … emergency", level ? level : "");
	else
		mcp_ping(t);
}

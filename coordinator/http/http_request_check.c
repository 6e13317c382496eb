/*
 * Refuses ambiguous requests, which a proxy and this server, or a check and the code behind it,
 * could understand differently: repeated headers, names with blanks, two framings, NUL bytes in
 * paths.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "coordinator/http/http_internal.h"
#include "coordinator/http/media_types.h"
#include "proto/base/optional_text.h"

/* Headers that affect decisions, so they must not be repeated. */
static const char *const single[] = { "Host", "Origin", "Authorization", "Content-Length",
	"Content-Type", "Content-Encoding", "Transfer-Encoding", "MCP-Protocol-Version", "Mcp-Method",
	"Mcp-Name", "Mcp-Session-Id", "Last-Event-ID" };

struct header_check {
	unsigned seen;			/* a bit for each entry of `single` */
	char bad[60];			/* the name of a bad header */
	const char *why;		/* what is wrong with it */
};

static bool is_token(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || (s[n] && strchr("-_!#$%&'*+.^`|~", s[n])))
		n++;
	return n && !s[n];
}

static enum MHD_Result check_header(
    void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct header_check *l = arg;

	(void)kind;
	(void)value;
	if (!is_token(name))
		l->why = "is not a valid name";
	for (size_t i = 0; i < LEN(single) && !l->why; i++)
		if (!strcasecmp(name, single[i])) {
			if (l->seen & 1u << i)
				l->why = "is there more than once";
			l->seen |= 1u << i;
		}
	if (!l->why)
		return MHD_YES;
	snprintf(l->bad, sizeof l->bad, "%s", name);
	return MHD_NO;
}

static enum MHD_Result add_range(
    void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct buf *all = arg;

	(void)kind;
	if (strcasecmp(name, MHD_HTTP_HEADER_ACCEPT))
		return MHD_YES;
	if (all->n)
		buf_byte(all, ',');
	buf_str(all, text_or_empty(value));
	return MHD_YES;
}

bool http_accepts(const struct exchange *pub, const char *type)
{
	struct buf all = { 0 };

	MHD_get_connection_values(
	    ((const struct http_request *)pub)->mhd, MHD_HEADER_KIND, add_range, &all);
	bool accepted = media_accepts_type(all.p, type);
	buf_free(&all);
	return accepted;
}

static int refuse(struct http_request *x, int status, const char *hint)
{
	x->refusal_status = status;
	x->framing_unclear = true;
	return err_hint(&x->refusal, "%s", hint);
}

static int check_framing(struct http_request *x)
{
	const char *coding = http_header(&x->pub, MHD_HTTP_HEADER_TRANSFER_ENCODING);

	if (coding && strcasecmp(coding, "chunked") != 0) {
		err_set(
		    &x->refusal, ERR_INVALID_INPUT, "Transfer-Encoding `%.40s` is not supported", coding);
		return refuse(x, 501, "Send the body with Content-Length, or chunked.");
	}
	if (coding && http_header(&x->pub, MHD_HTTP_HEADER_CONTENT_LENGTH)) {
		err_set(&x->refusal, ERR_INVALID_INPUT,
		    "both Content-Length and Transfer-Encoding are present");
		return refuse(x, 400, "Send one of them.");
	}
	return 0;
}

int http_request_check(struct http_request *x, const char *version)
{
	struct header_check l = { 0 };

	MHD_get_connection_values(x->mhd, MHD_HEADER_KIND, check_header, &l);
	if (l.why) {
		err_set(&x->refusal, ERR_INVALID_INPUT, "header `%s` %s", l.bad, l.why);
		return refuse(x, 400, "Send each header once, its name without blanks.");
	}
	if (!strcmp(version, MHD_HTTP_VERSION_1_1) && !http_header(&x->pub, MHD_HTTP_HEADER_HOST)) {
		err_set(&x->refusal, ERR_INVALID_INPUT, "the header Host is missing");
		return refuse(x, 400, "HTTP/1.1 requires it.");
	}
	if (x->hidden) {
		err_set(&x->refusal, ERR_INVALID_INPUT, "the path contains a NUL byte");
		return refuse(x, 400, "MCP answers at /mcp.");
	}
	return check_framing(x);
}

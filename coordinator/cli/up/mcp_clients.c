#include "coordinator/cli/up/mcp_clients.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/embedded.h"

static const char own_variable[] = "$ATOLL_TOKEN";

/* The lines of one client that have been read so far. */
struct mcp_client {
	const char *name, *up, *variable, *text;
};

/* The value of a line `key: value`, or NULL. */
static const char *value(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) || line[n] != ':')
		return NULL;
	return line + n + 1 + strspn(line + n + 1, " ");
}

static void read_line(struct mcp_client *c, const char *line)
{
	const char *name = value(line, "client"), *up = value(line, "up");
	const char *variable = value(line, "variable"), *text = value(line, "text");

	if (name)
		*c = (struct mcp_client){ .name = name, .variable = own_variable };
	if (up)
		c->up = up;
	if (variable)
		c->variable = variable;
	if (text)
		c->text = text;
}

/* If `*p` begins with `what`, advance it past that. */
static bool skip(const char **p, const char *what)
{
	size_t n = strlen(what);

	if (strncmp(*p, what, n))
		return false;
	*p += n;
	return true;
}

/* The text with {url} and {token} filled in; parts in [[ ]] only if there is a token. */
static void put_text(struct buf *b, const struct mcp_client *c, const char *url, bool token)
{
	for (const char *p = c->text; *p;) {
		const char *end = strstr(p, "]]");
		if (skip(&p, "{url}"))
			buf_str(b, url);
		else if (skip(&p, "{token}"))
			buf_str(b, c->variable);
		else if (!token && end && skip(&p, "[["))
			p = end;
		else if (!skip(&p, "[[") && !skip(&p, "]]"))
			buf_byte(b, *p++);
	}
}

static void put(struct buf *b, const struct mcp_client *c, const char *url, bool token)
{
	if (!c->name || !c->up || !c->text)
		return;
	buf_printf(b, "%-13s %s%s", c->name, c->up, *c->up ? "    " : "");
	put_text(b, c, url, token);
	buf_byte(b, '\n');
}

void mcp_clients_put(struct buf *b, const char *url, bool token)
{
	struct arena *a = arena_new();
	struct mcp_client c = { 0 };
	const char *all = embedded_contents("coordinator/cli/data/clients.txt");

	for (const char *p = all; p && *p;) {
		size_t n = strcspn(p, "\n");
		if (n) {
			read_line(&c, arena_strn(a, p, n));
		} else {	/* an empty line ends the client */
			put(b, &c, url, token);
			c = (struct mcp_client){ 0 };
		}
		p += n;
		if (*p)
			p++;
	}
	put(b, &c, url, token);
	arena_free(a);
}

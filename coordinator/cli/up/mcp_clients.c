#include "coordinator/cli/up/mcp_clients.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/embedded.h"

static const char own_variable[] = "$ATOLL_TOKEN";

/* One client as far as it has been read. */
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
	const char *v;

	if ((v = value(line, "client")))
		*c = (struct mcp_client){ .name = v, .variable = own_variable };
	else if ((v = value(line, "up")))
		c->up = v;
	else if ((v = value(line, "variable")))
		c->variable = v;
	else if ((v = value(line, "text")))
		c->text = v;
}

/* Whether `*p` begins so, which is then left behind. */
static bool skip(const char **p, const char *what)
{
	size_t n = strlen(what);
	bool is = !strncmp(*p, what, n);

	*p += is ? n : 0;
	return is;
}

/* With {url} and {token} filled in; what is in [[ ]] only with a token. */
static void put_text(struct buf *b, const struct mcp_client *c, const char *url, bool token)
{
	for (const char *p = c->text, *over; *p;) {
		if (skip(&p, "{url}"))
			buf_str(b, url);
		else if (skip(&p, "{token}"))
			buf_str(b, c->variable);
		else if (skip(&p, "[[")) {
			if (!token && (over = strstr(p, "]]")))
				p = over;
		} else if (!skip(&p, "]]"))
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

	for (const char *p = all, *next; p && *p; p = next) {
		size_t n = strcspn(p, "\n");
		next = p + n + (p[n] == '\n');
		if (n) {
			read_line(&c, arena_strn(a, p, n));
			continue;
		}
		put(b, &c, url, token);
		c = (struct mcp_client){ 0 };
	}
	put(b, &c, url, token);
	arena_free(a);
}

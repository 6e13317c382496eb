/* Handlers that frameworks name in strings: PHP, Rails, and frameworks that route by files. */
#include "shard/contracts/paths/route_syntax.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* Where the name of the class ends in a handler; `*class`: not NULL if it is marked as one. */
static const char *handler_class_end(const char *text, const char *action, const char **class)
{
	const char *at = strchr(text, '@'), *suffix = strstr(text, "Controller");

	if (*class)
		return *class;
	if (at && text[strspn(text, "['\" \t\n\\")] != '@')
		return at;
	if (!action || !suffix || isalnum((unsigned char)suffix[10]) || suffix[10] == '#')
		return NULL;
	*class = suffix + 10;
	return *class;
}

const char *class_handler(const char *text, const char *action, struct arena *a)
{
	const char *class = strstr(text, "::class"), *end = handler_class_end(text, action, &class);

	text += strspn(text, "['\" \t\n\\");
	if (!end || end < text)
		return NULL;
	const char *from = end, *method = end;
	while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
		from--;
	if (!strncmp(end, "::class", 7))
		method += 7;
	else if (*end)
		method++;
	method += strcspn(method, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	size_t n = strspn(method, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	if (from == end || (!class && !n))
		return NULL;
	if (n)
		return arena_printf(a, "%.*s.%.*s", (int)(end - from), from, (int)n, method);
	if (!action || !*action)
		action = "__invoke";
	return arena_printf(a, "%.*s.%s", (int)(end - from), from, action);
}

const char *file_handler(const char *text, const char *action, struct arena *a)
{
	static const char *const endings[] = { ".tsx", ".ts", ".jsx", ".js", ".mjs", ".mdx" };
	size_t n = strlen(text);

	if (n <= 2 || !strchr("\"'`", *text) || !*action)
		return NULL;
	for (size_t i = 0; i < LEN(endings); i++) {
		size_t m = strlen(endings[i]);
		if (n > m + 2 && !memcmp(text + n - 1 - m, endings[i], m))
			return arena_printf(a, "%.*s.%s", (int)(n - m - 2), text + 1, action);
	}
	return NULL;
}

/* users_admin is UsersAdmin. */
static void put_class_name(struct buf *b, const char *s, size_t n)
{
	bool upper = true;

	for (size_t i = 0; i < n; i++) {
		char c = s[i];
		if (upper)
			c = (char)toupper((unsigned char)c);
		if (c != '_')
			buf_byte(b, c);
		upper = c == '_';
	}
}

const char *rails_handler(const char *text, const char *action, struct arena *a)
{
	struct buf b = { 0 };

	text += strspn(text, ":\"'");
	size_t n = strcspn(text, "\"'");
	const char *hash = memchr(text, '#', n);
	if (!*action && !hash)
		return NULL;
	if (hash) {
		action = arena_strn(a, hash + 1, (size_t)(text + n - hash) - 1);
		n = (size_t)(hash - text);
	}
	const char *slash = memrchr(text, '/', n);
	if (slash) {
		n -= (size_t)(slash + 1 - text);
		text = slash + 1;
	}
	put_class_name(&b, text, n);
	buf_str(&b, "Controller.");
	buf_str(&b, action);
	text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

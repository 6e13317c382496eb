#include "proto/base/plain_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/buf.h"

/*
 * Characters above ASCII that are escaped: C1 controls, the Arabic letter mark, direction marks,
 * line separators, embeddings, overrides and isolates.
 */
static const struct { uint32_t first, last; } escaped[] = {
	{ 0x80, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

static bool needs_escape(uint32_t c)
{
	if (c < 0x80)
		return c < ' ' || c == 0x7f;
	for (size_t i = 0; i < LEN(escaped); i++)
		if (c >= escaped[i].first && c <= escaped[i].last)
			return true;
	return false;
}

/* The length of the UTF-8 sequence at `s`, and its character; 0 if it is not valid UTF-8. */
static size_t decode(const unsigned char *s, size_t n, uint32_t *c)
{
	static const struct { unsigned char mask, lead; uint32_t least; } forms[] = {
		{ 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
	};

	for (size_t k = 0; k < LEN(forms) && k < n; k++) {
		if ((s[0] & forms[k].mask) != forms[k].lead)
			continue;
		*c = s[0] & (unsigned char)~forms[k].mask;
		for (size_t i = 1; i <= k; i++) {
			if ((s[i] & 0xc0) != 0x80)
				return 0;
			*c = *c << 6 | (s[i] & 0x3f);
		}
		bool surrogate = *c >= 0xd800 && *c < 0xe000;
		if (*c < forms[k].least || *c > 0x10ffff || surrogate)
			return 0;
		return k + 1;
	}
	return 0;
}

size_t plain_next_char(const char *s, size_t n, char escape[PLAIN_ESCAPE])
{
	uint32_t c = 0;
	size_t k = decode((const unsigned char *)s, n, &c);

	*escape = 0;
	if (!k) {
		snprintf(escape, PLAIN_ESCAPE, "\\x%02x", (unsigned char)*s);
		return 1;
	}
	if (c == '\n')
		strcpy(escape, "\\n");
	else if (needs_escape(c) && c < 0x80)
		snprintf(escape, PLAIN_ESCAPE, "\\x%02x", (unsigned)c);
	else if (needs_escape(c))
		snprintf(escape, PLAIN_ESCAPE, "\\u%04x", (unsigned)(c & 0xffff));
	return k;
}

size_t plain_ascii_prefix(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= ' ' && s[i] < 0x7f)
		i++;
	return i;
}

void plain_put(struct buf *out, const char *s, size_t n, const char *keep)
{
	char escape[PLAIN_ESCAPE];

	for (size_t i = 0, k; i < n; i += k) {
		k = plain_ascii_prefix(s + i, n - i);
		if (k) {
			buf_put(out, s + i, k);
			continue;
		}
		k = plain_next_char(s + i, n - i, escape);
		if (*escape && (!s[i] || !strchr(keep, s[i])))
			buf_str(out, escape);
		else
			buf_put(out, s + i, k);
	}
}

void plain_put_json(struct buf *out, const char *json)
{
	char escape[PLAIN_ESCAPE];
	size_t n = strlen(json);

	for (size_t i = 0, k; i < n; i += k) {
		k = plain_ascii_prefix(json + i, n - i);
		if (k) {
			buf_put(out, json + i, k);
			continue;
		}
		k = plain_next_char(json + i, n - i, escape);
		if (escape[0] && escape[1] == 'u')
			buf_str(out, escape);
		else if (json[i] == 0x7f)
			buf_str(out, "\\u007f");
		else
			buf_put(out, json + i, k);
	}
}

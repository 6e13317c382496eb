#include "proto/pattern/utf8.h"

/* By the number of continuation bytes: the bits of the first byte, and the smallest character. */
static const struct {
	unsigned char mask, lead, bits;
	uint32_t smallest;
} forms[] = {
	{ 0x80, 0x00, 0x7f, 0 },
	{ 0xe0, 0xc0, 0x1f, 0x80 },
	{ 0xf0, 0xe0, 0x0f, 0x800 },
	{ 0xf8, 0xf0, 0x07, 0x10000 },
};

static size_t continued(const char *s, size_t n, size_t more, uint32_t *c)
{
	unsigned char first = (unsigned char)*s;
	uint32_t value = first & forms[more].bits;

	if (n <= more)
		return 0;
	for (size_t i = 1; i <= more; i++) {
		unsigned char next = (unsigned char)s[i];
		if ((next & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (next & 0x3f);
	}
	if (value < forms[more].smallest || value > LAST_CHARACTER)
		return 0;
	if (value >= 0xd800 && value <= 0xdfff)
		return 0;
	*c = value;
	return more + 1;
}

size_t utf8_decode(const char *s, size_t n, uint32_t *c)
{
	if (!n)
		return 0;
	for (size_t more = 0; more < UTF8_MAX; more++)
		if (((unsigned char)*s & forms[more].mask) == forms[more].lead)
			return continued(s, n, more, c);
	return 0;
}

size_t utf8_decode_back(const char *s, size_t n, uint32_t *c)
{
	for (size_t size = 1; size <= UTF8_MAX && size <= n; size++) {
		if (utf8_decode(s + n - size, size, c) == size)
			return size;
		if (((unsigned char)s[n - size] & 0xc0) != 0x80)
			return 0;
	}
	return 0;
}

size_t utf8_encode(uint32_t c, char out[UTF8_MAX])
{
	size_t more = UTF8_MAX - 1;

	while (c < forms[more].smallest)
		more--;
	out[0] = (char)(forms[more].lead | c >> (6 * more));
	for (size_t i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
	return more + 1;
}

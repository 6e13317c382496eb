/* Classes and escapes. */
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/pattern_parse_internal.h"
#include "proto/pattern/unicode_sets.h"
#include "proto/pattern/utf8.h"

enum { MAX_RANGES = 200000 };

static const struct {
	char letter;
	char c;
} control_escapes[] = {
	{ 'a', '\a' },
	{ 'f', '\f' },
	{ 'n', '\n' },
	{ 'r', '\r' },
	{ 't', '\t' },
	{ 'v', '\v' },
};

static const struct {
	char letter;
	enum place place;
} place_escapes[] = {
	{ 'A', PLACE_TEXT_START },
	{ 'z', PLACE_TEXT_END },
	{ 'b', PLACE_WORD_EDGE },
	{ 'B', PLACE_NO_WORD_EDGE },
};

static const struct {
	char letter;
	const struct charset *(*set)(void);
} set_escapes[] = {
	{ 'd', unicode_digit },
	{ 's', unicode_space },
	{ 'w', unicode_word },
};

static const struct {
	const char *letters, *what;
} refused_escapes[] = {
	{ "0123456789",
	    "back-references and octal numbers are not supported; repeat the pattern, or write \\x41 for a character" },
	{ "<>", "\\< and \\> are not supported; write \\b" },
	{ "QE", "\\Q and \\E are not supported; escape each character, or set `fixed`" },
	{ "Z", "\\Z is not supported; write \\z for the end of the text, or $ for the end of a line" },
	{ "h", "\\h is not supported; write [ \\t]" },
	{ "R", "\\R is not supported; write \\r?\\n" },
	{ "K", "\\K is not supported; leave it out" },
	{ "GkgXNC", "this escape is not supported; leave it out, or write \\\\ for a backslash" },
};

/* The classes of [[:name:]]: pairs of a first and a last character. */
static const struct {
	const char *name, *ranges;
} posix_classes[] = {
	{ "alnum", "09AZaz" },
	{ "alpha", "AZaz" },
	{ "ascii", "\x01\x7f" },
	{ "blank", "\t\t  " },
	{ "cntrl", "\x01\x1f\x7f\x7f" },
	{ "digit", "09" },
	{ "graph", "!~" },
	{ "lower", "az" },
	{ "print", " ~" },
	{ "punct", "!/:@[`{~" },
	{ "space", "\t\r  " },
	{ "upper", "AZ" },
	{ "word", "09AZaz__" },
	{ "xdigit", "09AFaf" },
};

static const struct charset *fold(struct parser *p, const struct charset *set)
{
	return p->flags.ignore_case ? unicode_fold(p->a, set) : set;
}

static const struct charset *inverse_if(struct parser *p, const struct charset *set, bool inverse)
{
	return inverse ? charset_inverse(p->a, set) : set;
}

/* ---- escapes ---- */

static int hex_value(uint32_t c)
{
	if (c >= '0' && c <= '9')
		return (int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (int)(c - 'A') + 10;
	return -1;
}

/* The digits behind \x, \u and \U: `digits` of them, or any number in braces. */
static bool parse_hex(struct parser *p, size_t at, size_t digits, uint32_t *value)
{
	bool braces = skip(p, "{");
	size_t read = 0;

	*value = 0;
	while (hex_value(peek(p)) >= 0 && (braces || read < digits)) {
		*value = *value * 16 + (uint32_t)hex_value(peek(p));
		if (*value > LAST_CHARACTER)
			return parse_error(p, at, "there is no such character; \\x{10FFFF} is the last");
		next_character(p);
		read++;
	}
	if (!read || (!braces && read < digits) || (braces && !skip(p, "}")))
		return parse_error(p, at, "this number is not complete; write \\x41, \\u0041 or \\x{41}");
	if (*value >= 0xd800 && *value <= 0xdfff)
		return parse_error(p, at, "a surrogate is no character; write the character itself");
	return true;
}

/* \pL, \p{Greek}, \p{^Greek}, \P{Greek} */
static bool parse_property(struct parser *p, size_t at, bool inverse, const struct charset **set)
{
	size_t from = p->at, end;

	if (skip(p, "{")) {
		inverse = skip(p, "^") != inverse;
		from = p->at;
		while (peek(p) != '}' && peek(p) != NO_CHARACTER)
			next_character(p);
		end = p->at;
		if (!skip(p, "}"))
			return parse_error(p, at, "this property is not closed; write \\p{Greek}");
	} else {
		next_character(p);
		end = p->at;
	}
	*set = unicode_property(p->text + from, end - from);
	if (!*set)
		return parse_error(p, at,
		    "there is no property `%.*s`; write a general category, a script or a binary property, as \\p{Lu} or \\p{Greek}",
		    (int)(end - from < 40 ? end - from : 40), p->text + from);
	*set = inverse_if(p, fold(p, *set), inverse);
	return true;
}

static bool parse_named_escape(struct parser *p, size_t at, uint32_t c, struct escape *escape)
{
	for (size_t i = 0; i < LEN(control_escapes); i++)
		if (c == (uint32_t)control_escapes[i].letter) {
			escape->c = (uint32_t)control_escapes[i].c;
			return true;
		}
	for (size_t i = 0; i < LEN(place_escapes); i++)
		if (c == (uint32_t)place_escapes[i].letter) {
			escape->kind = ESCAPE_PLACE;
			escape->place = place_escapes[i].place;
			return true;
		}
	for (size_t i = 0; i < LEN(set_escapes); i++)
		if ((c | 0x20) == (uint32_t)set_escapes[i].letter) {
			escape->kind = ESCAPE_SET;
			escape->set = inverse_if(p, set_escapes[i].set(), !(c & 0x20));
			return true;
		}
	for (size_t i = 0; i < LEN(refused_escapes); i++)
		if (strchr(refused_escapes[i].letters, (int)c))
			return parse_error(p, at, "%s", refused_escapes[i].what);
	return parse_error(p, at,
	    "unknown escape; write the character without the backslash, or \\\\ for a backslash");
}

bool parse_escape(struct parser *p, struct escape *escape)
{
	size_t at = p->at;

	skip(p, "\\");
	uint32_t c = peek(p);
	if (c == NO_CHARACTER)
		return parse_error(p, at, "nothing follows the backslash; write \\\\ for a backslash");
	next_character(p);
	escape->kind = ESCAPE_CHARACTER;
	escape->c = c;
	if (c == 'x')
		return parse_hex(p, at, 2, &escape->c);
	if (c == 'u')
		return parse_hex(p, at, 4, &escape->c);
	if (c == 'U')
		return parse_hex(p, at, 8, &escape->c);
	if (c == 'p' || c == 'P') {
		escape->kind = ESCAPE_SET;
		return parse_property(p, at, c == 'P', &escape->set);
	}
	if (c < 0x80 && strchr("!\"#$%&'()*+,-./:;=?@[\\]^_`{|}~", (int)c) && c)
		return true;
	if (c == ' ' && p->flags.extended)
		return true;
	if (c < 0x80 && c)
		return parse_named_escape(p, at, c, escape);
	return parse_error(p, at, "unknown escape; write the character without the backslash");
}

/* ---- classes ---- */

/* [:alpha:] or [:^alpha:] inside a class; false without an error if there is none of that name. */
static bool parse_posix(struct parser *p, const struct charset **set)
{
	size_t before = p->at;

	if (!skip(p, "[:"))
		return false;
	bool inverse = skip(p, "^");
	for (size_t i = 0; i < LEN(posix_classes); i++) {
		const char *name = posix_classes[i].name, *ranges = posix_classes[i].ranges;
		struct range list[4];
		size_t n = strlen(ranges) / 2, length = strlen(name);
		if (!looking_at(p, name) ||
		    strncmp(p->text + p->at + length, ":]", p->n - p->at - length < 2 ? 0 : 2) ||
		    p->n - p->at - length < 2)
			continue;
		for (size_t k = 0; k < n; k++)
			list[k] = (struct range){ (unsigned char)ranges[2 * k],
				(unsigned char)ranges[2 * k + 1] };
		p->at += length + 2;
		*set = inverse_if(p, fold(p, charset_new(p->a, list, n)), inverse);
		return true;
	}
	p->at = before;
	return false;
}

/* One character or one set of a class. */
static bool parse_class_item(struct parser *p, struct escape *item)
{
	size_t at = p->at;

	if (peek(p) != '\\') {
		item->kind = ESCAPE_CHARACTER;
		item->c = peek(p);
		next_character(p);
		return true;
	}
	if (!parse_escape(p, item))
		return false;
	if (item->kind == ESCAPE_PLACE)
		return parse_error(
		    p, at, "this is no character, so it cannot stand in a class; write it outside");
	return true;
}

/* The set of an item, or of the range that it begins. */
static const struct charset *parse_class_range(struct parser *p)
{
	struct escape first = { 0 }, last = { 0 };
	size_t at = p->at;

	if (!parse_class_item(p, &first))
		return NULL;
	skip_space(p);
	bool range = peek(p) == '-' && !looking_at(p, "-]") && !looking_at(p, "--");
	if (!range)
		return first.kind == ESCAPE_SET ? first.set : fold(p, charset_one(p->a, first.c));
	skip(p, "-");
	skip_space(p);
	if (peek(p) == NO_CHARACTER) {
		parse_error(p, at, "this range has no end; close the class with `]`");
		return NULL;
	}
	if (!parse_class_item(p, &last))
		return NULL;
	if (first.kind == ESCAPE_SET || last.kind == ESCAPE_SET) {
		parse_error(
		    p, at, "a range goes from one character to another; write \\- for a literal `-`");
		return NULL;
	}
	if (first.c > last.c) {
		parse_error(p, at, "this range goes down; write the smaller character first");
		return NULL;
	}
	return fold(p, charset_new(p->a, &(struct range){ first.c, last.c }, 1));
}

static const struct charset *combine(
    struct parser *p, char operator, const struct charset * x, const struct charset *y)
{
	if (!operator)
		return charset_union(p->a, x, y);
	if (operator== '&')
		return charset_both(p->a, x, y);
	if (operator== '-')
		return charset_without(p->a, x, y);
	return charset_without(p->a, charset_union(p->a, x, y), charset_both(p->a, x, y));
}

static char skip_operator(struct parser *p)
{
	if (skip(p, "&&"))
		return '&';
	if (skip(p, "--"))
		return '-';
	if (skip(p, "~~"))
		return '~';
	return 0;
}

/* Sets under construction: each item is added to `ranges`, which become one set at an operator. */
struct class
{
	const struct charset *left; /* what stands before the operator */
	char operator; /* 0 before the first one */
	struct range *ranges; /* of what stands behind it */
	size_t n, cap;
};

static void class_add(struct class *class, const struct charset *set)
{
	for (size_t i = 0; i < set->n; i++) {
		class->ranges = grow(class->ranges, &class->cap, class->n + 1, sizeof *class->ranges);
		class->ranges[class->n++] = set->ranges[i];
	}
}

static const struct charset *class_so_far(struct parser *p, struct class *class)
{
	const struct charset *right = charset_new(p->a, class->ranges, class->n);

	class->n = 0;
	if (!class->left)
		return right;
	return combine(p, class->operator, class->left, right);
}

/* What stands first in a class is a character, even if it is `]` or `-`. */
static void parse_class_start(struct parser *p, struct class *class)
{
	skip_space(p);
	while (skip(p, "-"))
		class_add(class, fold(p, charset_one(p->a, '-')));
	if (!class->n && skip(p, "]"))
		class_add(class, fold(p, charset_one(p->a, ']')));
}

/* Everything up to the `]`. */
static bool parse_class_items(struct parser *p, size_t at, struct class *class)
{
	for (;;) {
		const struct charset *set;
		skip_space(p);
		if (peek(p) == NO_CHARACTER)
			return parse_error(
			    p, at, "this class is not closed; add `]`, or write \\[ for a literal one");
		if (skip(p, "]"))
			return true;
		char operator= skip_operator(p);
		if (operator) {
			class->left = class_so_far(p, class);
			class->operator= operator;
			continue;
		}
		if (peek(p) != '[')
			set = parse_class_range(p);
		else if (!parse_posix(p, &set))
			set = parse_class(p);
		if (!set)
			return false;
		class_add(class, set);
		if (class->n > MAX_RANGES)
			return parse_error(p, at, "this class has too many parts; write fewer");
	}
}

const struct charset *parse_class(struct parser *p)
{
	size_t at = p->at;
	struct class class = { 0 };
	const struct charset *set = NULL;

	if (!enter(p))
		return NULL;
	skip(p, "[");
	skip_space(p);
	bool inverse = skip(p, "^");
	parse_class_start(p, &class);
	if (parse_class_items(p, at, &class))
		set = inverse_if(p, class_so_far(p, &class), inverse);
	free(class.ranges);
	p->depth--;
	return set;
}

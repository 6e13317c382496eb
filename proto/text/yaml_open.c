#include "proto/text/yaml_open.h"

#include <stdlib.h>

#include "proto/base/die.h"

enum { OPEN_MAX = 256 };

/*
 * The bytes before the place where too many brackets are open, including those in strings and
 * comments.
 */
static size_t readable_length(const char *text, size_t n)
{
	int open = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '[' || text[i] == '{')
			open++;
		else if ((text[i] == ']' || text[i] == '}') && open)
			open--;
		if (open > OPEN_MAX)
			return i;
	}
	return n;
}

void yaml_open_text(yaml_parser_t *parser, const char *text, size_t n)
{
	if (!yaml_parser_initialize(parser))
		die("out of memory");
	yaml_parser_set_input_string(parser, (const unsigned char *)text, readable_length(text, n));
}

#ifndef PROTO_TEXT_YAML_OPEN_H
#define PROTO_TEXT_YAML_OPEN_H
/* The one way to libyaml for text that comes from a repository. */
#include <stddef.h>
#include <yaml.h>

/*
 * Make `parser` read the text (borrowed), to be ended with yaml_parser_delete.  libyaml looks at
 * every open bracket for each token, so the text ends for it where more than 256 are open: a file
 * that goes on so is broken there.
 */
void yaml_open_text(yaml_parser_t *parser, const char *text, size_t n);
#endif

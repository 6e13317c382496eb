#ifndef PROTO_TEXT_YAML_OPEN_H
#define PROTO_TEXT_YAML_OPEN_H
/* Opens libyaml for text from a repository.  The one way to do so. */
#include <stddef.h>
#include <yaml.h>

/*
 * Make `parser` read the text (borrowed); the caller ends it with yaml_parser_delete.  libyaml
 * visits every open bracket for each token, so the text is cut where more than 256 are open, which
 * happens only in broken files.
 */
void yaml_open_text(yaml_parser_t *parser, const char *text, size_t n);
#endif

#ifndef PROTO_TEXT_TEXT_ID_H
#define PROTO_TEXT_TEXT_ID_H
/*
 * The identity of a text: the same lines of the same blob under the same name, in any repository
 * and at any path.  Hits are counted by text, and the order of equal hits depends on it alone.
 */

#include <stdint.h>

/* The hash of a text; never 0.  `qualified` is NULL for text outside symbols. */
uint64_t text_id(const char *blob, uint64_t start_line, uint64_t end_line, const char *qualified);
#endif

#ifndef PROTO_TEXT_TEXT_ID_H
#define PROTO_TEXT_TEXT_ID_H
/*
 * The same lines of the same blob under the same name are one text, wherever they stand: in
 * another repository or by another path. What is found is counted by texts, and the order of equal
 * ones depends on nothing else.
 */

#include <stdint.h>

/* 64 bits of a text; never 0.  `qualified` NULL: text outside symbols. */
uint64_t text_id(const char *blob, uint64_t start_line, uint64_t end_line, const char *qualified);
#endif

#ifndef SHARD_SYMBOL_H
#define SHARD_SYMBOL_H
/* Rows of the table `symbols`. */

#include "proto/text/symbol.h"

/* The doc comment of a row `s` of symbols, as a column of a SELECT. */
#define SYMBOL_DOC "packed_text((select docs from told where told.file = s.file), s.place)"
#endif

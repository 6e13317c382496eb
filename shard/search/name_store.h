#ifndef SHARD_SEARCH_NAME_STORE_H
#define SHARD_SEARCH_NAME_STORE_H
/*
 * Where names are looked up, in the order in which a lookup asks: definitions, minor names of the
 * same files (symbol_store.h), and the names of files that are left out (left_out_names.h). The texts
 * join the symbols `s` with their files `f`, for statements.
 */

enum name_store { NAMES_DEFINED, NAMES_MINOR, NAMES_LEFT_OUT, NAME_STORES };

#define NAMES_DEFINED_SQL " from symbols s join files f on f.id = s.file"
#define NAMES_MINOR_SQL " from minor_symbols s join files f on f.id = s.file"
#define NAMES_LEFT_OUT_SQL " from minor_symbols s cross join left_out f on f.id = s.file"
#endif

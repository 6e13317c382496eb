#ifndef SHARD_DEFINITIONS_MARKDOWN_SECTIONS_H
#define SHARD_DEFINITIONS_MARKDOWN_SECTIONS_H
/* The sections of a Markdown text, nested by the levels of their headings. */

#include <stddef.h>

struct arena;
struct found_definitions;

/* Fill `out` in order of start; strings live in `a`. */
void markdown_sections_find(
    const char *text, size_t n, struct arena *a, struct found_definitions *out);
#endif

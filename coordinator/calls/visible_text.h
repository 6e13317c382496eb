#ifndef COORDINATOR_CALLS_VISIBLE_TEXT_H
#define COORDINATOR_CALLS_VISIBLE_TEXT_H
/* Removes what a text must not do to its reader: control terminals, hide or reorder characters. */

struct buf;

/*
 * Append a text (UTF-8) without control characters other than newline and tab, escape sequences,
 * invisible and direction marks.
 */
void visible_text_put(const char *text, struct buf *out);
#endif

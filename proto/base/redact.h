#ifndef PROTO_BASE_REDACT_H
#define PROTO_BASE_REDACT_H
/* Texts for messages and logs, with their secrets removed. */

struct arena;

/* A copy of `text`, in the arena, with every `scheme://user:secret@` reduced to `scheme://`. */
const char *uri_redact(const char *text, struct arena *);
#endif

#ifndef PROTO_BASE_REDACT_H
#define PROTO_BASE_REDACT_H
/* Texts for messages and logs, without the secrets in them. */

struct arena;

/* `text` with every `scheme://user:secret@` in it reduced to `scheme://`.  In the arena. */
const char *uri_redact(const char *text, struct arena *);
#endif

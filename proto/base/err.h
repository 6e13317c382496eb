#ifndef PROTO_BASE_ERR_H
#define PROTO_BASE_ERR_H
/* Failures as values: a code that crosses the wire, a message, and a hint how to fix it. */

enum err_code {
	ERR_NONE,
#define ERR(name, http, text, hint) ERR_##name,
#include "proto/base/err.def"
	ERR_COUNT
};

/* Lives on the stack of the function that handles it.  Zero-initialise. */
struct err {
	enum err_code code;
	int retry_after_ms;	/* for RATE_LIMITED: when to try again; 0 = unknown */
	char msg[240];
	char hint[200];
};

/*
 * Set the failure and its code's default hint, with no time to try again.  `e` may be NULL.  Always
 * returns -1, so that reporting a failure takes one line.
 */
int err_set(struct err *e, enum err_code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "context: " before the message.  Always -1. */
int err_add(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Replace the hint.  Always -1. */
int err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * The wire name of a code ("NOT_FOUND"; "" for ERR_NONE), its HTTP status, and the code with a name
 * (INTERNAL for an unknown one).
 */
const char *err_name(enum err_code);
int err_http(enum err_code);
enum err_code err_code(const char *name);

/* For main(): log the failure, if any, with its hint; 0 or 1. */
int err_exit(const struct err *);
#endif

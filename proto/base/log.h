#ifndef PROTO_BASE_LOG_H
#define PROTO_BASE_LOG_H
/*
 * One line per event on standard error:
 *   2026-11-21T00:04:49.123Z info shard ingest.done req=7f3a repo=web files=120 ms=842
 * The event name is a literal, so that grep finds its one call.  Never log a secret or a line of
 * source text.
 */
struct err;

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

/* Name the program and set the lowest level that is written.  Call once, early in main. */
void log_init(const char *program, enum log_level);

/* "debug" | "info" | "warn" | "error"; anything else is LOG_INFO. */
enum log_level log_level(const char *name);

/* 0, or -1 with INVALID_INPUT, naming --log-level, for any other name. */
int log_check_level(const char *name, struct err *e);

/* Set the request that this thread works for, or NULL for none.  Copied. */
void log_set_request(const char *req);

/*
 * `s` as a log value: unchanged, or quoted and escaped when it is empty or holds spaces, quotes or
 * control bytes.  The result may be in one of eight per-thread slots, so use it at once.
 */
const char *log_quote(const char *s);

void log_at(enum log_level, const char *event, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define log_debug(event, ...) log_at(LOG_DEBUG, event, __VA_ARGS__)
#define log_info(event, ...) log_at(LOG_INFO, event, __VA_ARGS__)
#define log_warn(event, ...) log_at(LOG_WARN, event, __VA_ARGS__)
#define log_error(event, ...) log_at(LOG_ERROR, event, __VA_ARGS__)
#endif

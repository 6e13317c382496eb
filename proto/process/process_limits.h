#ifndef PROTO_PROCESS_PROCESS_LIMITS_H
#define PROTO_PROCESS_PROCESS_LIMITS_H
/* What the process may use. */

/*
 * As many open files as the system allows it; a connection to each of thousands of shards needs
 * some.
 */
void limits_raise_files(void);
#endif

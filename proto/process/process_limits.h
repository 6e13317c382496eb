#ifndef PROTO_PROCESS_PROCESS_LIMITS_H
#define PROTO_PROCESS_PROCESS_LIMITS_H
/* Resource limits of the process. */

/*
 * Raise the limit on open files to the maximum that the system allows.  Connections to thousands
 * of shards need that.
 */
void limits_raise_files(void);
#endif

#ifndef PROTO_BASE_SANITIZED_H
#define PROTO_BASE_SANITIZED_H
/*
 * Whether a sanitizer is built in.  It reserves terabytes of address space, and inspects its own
 * process with ptrace.
 */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#endif

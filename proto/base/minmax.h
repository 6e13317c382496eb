#ifndef PROTO_BASE_MINMAX_H
#define PROTO_BASE_MINMAX_H
/*
 * The smaller and the larger of two numbers of one type.  An argument may be evaluated twice, so
 * it must have no side effect.
 */

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/*
 * Included at the head of every record table: rows that the includer did not ask for expand to
 * nothing.
 */
#ifndef RECORD
#define RECORD(r)
#define FIELD(r, t, f, rule, d)
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#define END(r)
#endif
#ifndef RPC
#define RPC(name, req, res, writes, doc)
#endif

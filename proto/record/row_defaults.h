/* Every record table includes this first: rows that its includer does not need become nothing. */
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

#ifndef COORDINATOR_RECORDS_RECORDS_H
#define COORDINATOR_RECORDS_RECORDS_H
/* The arguments and results of tools: the records of tools.def.  The registry uses them, too. */

#include "proto/record/record.h"

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define SUB(r, t, f, rule, d)   struct t *f;
#define LIST(r, t, f, rule, d)  struct { struct t *v; size_t n; } f;
#define END(r)                  }; extern const struct record rec_##r;
#include "coordinator/records/tools.def"
#endif

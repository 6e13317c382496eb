#ifndef COORDINATOR_RECORDS_RECORDS_H
#define COORDINATOR_RECORDS_RECORDS_H
/*
 * What tools take and give: the records of tools.def, which the registry and the matcher speak in,
 * too.
 */

#include "proto/record/record.h"

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define SUB(r, t, f, rule, d)   struct t *f;
#define LIST(r, t, f, rule, d)  struct { struct t *v; size_t n; } f;
#define END(r)                  }; extern const struct record rec_##r;
#include "coordinator/records/tools.def"
#endif

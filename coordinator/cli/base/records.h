#ifndef COORDINATOR_CLI_BASE_RECORDS_H
#define COORDINATOR_CLI_BASE_RECORDS_H
/*
 * The arguments and results of the coordinator's tools (coordinator/records/tools.def) for the
 * command line, which links nothing of the coordinator.
 */

#include "proto/record/record.h"

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define SUB(r, t, f, rule, d)   struct t *f;
#define LIST(r, t, f, rule, d)  struct { struct t *v; size_t n; } f;
#define END(r)                  }; extern const struct record rec_##r;
#include "coordinator/records/tools.def"
#endif

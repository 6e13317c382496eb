/*
 * The descriptors of all records of tools.def, as a client has them: the command line links nothing
 * of the coordinator, and reads and writes the JSON of its API by these.
 */
#include "coordinator/cli/base/records.h"

#include "proto/record/record_tables.h"
#include "coordinator/records/tools.def"

/* The descriptors of all records of tools.def, with which a client reads and writes the API. */
#include "coordinator/cli/base/records.h"

#include "proto/record/record_tables.h"
#include "coordinator/records/tools.def"

/*
 * The descriptors of all records of tools.def, as a client has them: the command line links nothing
 * of the coordinator, and reads and writes the JSON of its API by these.
 */
#include "coordinator/cli/records.h"

#include "proto/records.h"
#include "coordinator/tools.def"

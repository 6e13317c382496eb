/*
 * The descriptors of all records of tools.def, which the codecs, JSON and its schemas walk;
 * records.h makes structs of the same rows.
 */
#include "coordinator/records/records.h"

#include "proto/record/record_tables.h"
#include "coordinator/records/tools.def"

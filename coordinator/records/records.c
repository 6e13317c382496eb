/*
 * The descriptors of all records of tools.def, which the codecs, JSON and its schemas use;
 * records.h turns the same rows into structs.
 */
#include "coordinator/records/records.h"

#include "proto/record/record_tables.h"
#include "coordinator/records/tools.def"

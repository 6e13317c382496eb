/*
 * The descriptors of all records of tools.def, which the codecs, JSON and its schemas walk; records.h
 * makes structs of the same rows.
 */
#include "coordinator/records.h"

#include "proto/records.h"
#include "coordinator/tools.def"

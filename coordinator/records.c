#include "coordinator/records.h"

#include "proto/records.h"
#include "coordinator/tools.def"

#include "coordinator/cli/records.h"

#include "proto/records.h"
#include "coordinator/tools.def"

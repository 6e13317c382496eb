/* The golden contracts of Go: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("go")

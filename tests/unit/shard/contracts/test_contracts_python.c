/* The golden contracts of Python: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("python")

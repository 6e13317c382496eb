/* The golden contracts of TypeScript: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("typescript")

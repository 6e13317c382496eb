/* The golden contracts of Ruby: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("ruby")

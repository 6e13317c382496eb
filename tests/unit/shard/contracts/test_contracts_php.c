/* The golden contracts of PHP: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("php")

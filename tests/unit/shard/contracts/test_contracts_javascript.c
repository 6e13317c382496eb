/* The golden contracts of JavaScript: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("javascript")

/* The golden contracts of Kotlin: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("kotlin")

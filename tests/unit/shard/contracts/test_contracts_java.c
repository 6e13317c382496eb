/* The golden contracts of Java: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("java")

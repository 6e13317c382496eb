/* The golden contracts of C#: golden_contracts.h. */
#include "tests/golden_contracts.h"

CONTRACTS_OF("csharp")

/*
 * Included before each grammar's scanner.  tree-sitter-swift 0.7.1 asks calloc for no element and writes into it: what that
 * overwrites depends on the heap, and so did what was found in a file.
 */
#include <stdlib.h>
#define calloc(n, size) calloc((n) + !(n), size)

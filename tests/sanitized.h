#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H
/* Sanitizers make everything 10 to 30 times slower, so tests repeat less with them. */
#include "proto/base/sanitized.h"
#endif

#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H
/* Under a sanitizer everything takes ten to thirty times as long: what a test does many times it does fewer times then. */
#include "proto/base/sanitized.h"
#endif

#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H
/* Under a sanitizer everything takes ten to thirty times as long: what a test does many times it does fewer times then. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#endif

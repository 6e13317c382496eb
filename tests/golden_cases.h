#ifndef TESTS_GOLDEN_CASES_H
#define TESTS_GOLDEN_CASES_H
/* Golden cases that are whole folders. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Calls `compare` for every folder at or below `folder` that contains a file named `expected`, and returns the sum of the failures
 * that it returns.  Each case is counted in `cases` before it runs.
 */
static inline int golden_cases(const char *folder, const char *expected, int (*compare)(const char *folder), int *cases)
{
	char path[2400];
	DIR *d;
	int bad = 0;

	snprintf(path, sizeof path, "%.1900s/%.400s", folder, expected);
	if (!access(path, F_OK)) {
		++*cases;
		return compare(folder);
	}
	if (!(d = opendir(folder)))
		return 0;
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "%.1900s/%.400s", folder, x->d_name);
		if (*x->d_name != '.' && x->d_type == DT_DIR)
			bad += golden_cases(path, expected, compare, cases);
	}
	closedir(d);
	return bad;
}
#endif

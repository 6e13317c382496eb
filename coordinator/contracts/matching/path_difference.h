#ifndef COORDINATOR_CONTRACTS_MATCHING_PATH_DIFFERENCE_H
#define COORDINATOR_CONTRACTS_MATCHING_PATH_DIFFERENCE_H
/* How far the path of a call is from a route that it does not fit. */

#include "coordinator/contracts/paths/match_path.h"

/* The best way to lay the two over each other. */
struct path_difference {
	int cost; /* 0: equal but for parameters; less is nearer */
	int shift; /* leading segments that only the call has; negative: only the route */
	int segment; /* the first one of the call that differs, from 1; 0: at most the beginnings do */
	const char *called, *served; /* the two segments; NULL: that path has ended */
	bool unknown; /* all that differs are holes of the call */
	int shared; /* segments of the same text that tell something */
	int taken; /* words of the call that stand for parameters of the route */
};

/* `computed`: the holes of the call are parts of its path that are not known, not only values. */
struct path_difference path_difference(
    const struct path_template *call, const struct path_template *route, bool computed);
#endif

#ifndef SHARD_SETTINGS_HCL_H
#define SHARD_SETTINGS_HCL_H
/*
 * Reads the attributes of an HCL file (Terraform) as settings with dotted keys:
 * resource.aws_sns_topic.orders.name.
 */

#include <stddef.h>

struct arena;
struct setting;

/*
 * Stores the settings in order in *out, in `a`, and returns their number.  The value of a string is
 * its text, with ${…} as written; any other value is its source on one line.  Lists, maps and texts
 * of several lines are left out.  Reading stops at the first syntax error.
 */
size_t hcl_read(const char *text, size_t n, struct arena *a, struct setting **out);
#endif

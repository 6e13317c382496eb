#ifndef SHARD_SETTINGS_HCL_H
#define SHARD_SETTINGS_HCL_H
/*
 * What the blocks of an HCL file (Terraform) give to names, as settings:
 * resource.aws_sns_topic.orders.name.
 */

#include <stddef.h>

struct arena;
struct setting;

/*
 * In order, in `a`; how many.  Of a string its text, with ${…} as written; of any other value its
 * text, in one line.  Lists, maps and texts of several lines are left out; what is broken ends it.
 */
size_t hcl_read(const char *text, size_t n, struct arena *a, struct setting **out);
#endif

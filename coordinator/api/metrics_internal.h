#ifndef COORDINATOR_API_METRICS_INTERNAL_H
#define COORDINATOR_API_METRICS_INTERNAL_H
/* The parts of /metrics. */

struct buf;
struct exchange;

/* A family's first lines; a label's value as it stands between quotes. */
void metrics_head(struct buf *, const char *name, const char *type, const char *help);
void metrics_label(struct buf *, const char *value);

/*
 * What the caller may see of repositories; of their shards, which tells what others ask; of this
 * process.
 */
void metrics_repositories(struct exchange *, struct buf *);
void metrics_shards(struct exchange *, struct buf *);
void metrics_process(struct exchange *, struct buf *);
#endif

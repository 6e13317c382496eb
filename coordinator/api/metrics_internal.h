#ifndef COORDINATOR_API_METRICS_INTERNAL_H
#define COORDINATOR_API_METRICS_INTERNAL_H
/* The parts of /metrics. */

struct buf;
struct exchange;

/* The first lines of a metric; the value of a label, escaped, without quotes. */
void metrics_head(struct buf *, const char *name, const char *type, const char *help);
void metrics_label(struct buf *, const char *value);

/*
 * The metrics of the repositories that the caller may see; of their shards, which reveal what
 * others request; of the contracts of all groups; of this process.
 */
void metrics_repositories(struct exchange *, struct buf *);
void metrics_shards(struct exchange *, struct buf *);
void metrics_contracts(struct exchange *, struct buf *);
void metrics_process(struct exchange *, struct buf *);
#endif

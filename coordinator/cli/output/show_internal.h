#ifndef COORDINATOR_CLI_OUTPUT_SHOW_INTERNAL_H
#define COORDINATOR_CLI_OUTPUT_SHOW_INTERNAL_H
/* What the files that show answers share; nobody else includes it. */

struct repo_names;

static inline const char *plain(const char *s)
{
	return s ? s : "";
}

/* How to get the rows that follow, when there are some. */
void show_more(const char *cursor);

/* Answers of job_list, and of job_show and job_cancel. */
void show_jobs(const void *, const struct repo_names *);
void show_job(const void *, const struct repo_names *);

/* Answers of repo_status. */
void show_repo_status(const void *, const struct repo_names *);
#endif

#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum state { READY, RUNNING };
typedef struct job {
	enum state state;
	int left;
} job_t;
union any {
	job_t *job;
	long number;
};

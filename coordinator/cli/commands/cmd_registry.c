/* atoll registry ...: how it is, and moving it to a file and back. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/show_results.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/version.h"
#include "proto/record/json.h"

/* of an import: within what a request may have */
enum { ROWS_AT_ONCE = 300, BYTES_AT_ONCE = 256 << 10 };

static const char head[] = "{\"atoll_registry\":1,";

static struct api_client registry_client(struct cli *cli)
{
	struct api_client c = client_from_options(cli);

	if (*cli->o.data)
		c.data = runtime_data_dir(cli->o.data, cli->a);
	else
		c.data = NULL;
	return c;
}

static int code_of(enum answer answer)
{
	if (answer == ANSWER_OK)
		return EXIT_OK;
	if (answer == ANSWER_NONE)
		return EXIT_UNAVAILABLE;
	return EXIT_TOOL;
}

int cmd_registry_status(struct cli *cli)
{
	return show_call(cli, "registry_status", "{}");
}

/* ---- export ---- */

static int write_rows(struct cli *cli, FILE *f, size_t *rows)
{
	struct api_client c = registry_client(cli);
	struct arena *a = arena_new();
	char now[CLOCK_ISO];
	const char *after = NULL;
	enum answer answer;

	clock_iso(now);
	fprintf(f, "%s\"version\":\"%s\",\"at\":\"%s\"}\n", head, ATOLL_VERSION, now);
	do {
		struct registry_export_out out = { 0 };
		struct buf b = { 0 };
		args_str(&b, "after", after);
		if ((answer = client_get(&c, "registry_export", args_end(&b, a), 0,
		         &rec_registry_export_out, &out, a, &cli->e)))
			break;
		for (size_t i = 0; i < out.rows.n; i++)
			fprintf(f, "%s\n", out.rows.v[i]);
		*rows += out.rows.n;
		after = arena_str(cli->a, out.next);
		arena_reset(a);
	} while (after);
	arena_free(a);
	return code_of(answer);
}

static int no_file(struct cli *cli, const char *path)
{
	err_set(&cli->e, ERR_INVALID_INPUT, "%.200s: %s", path, strerror(errno));
	err_hint(&cli->e, "Name a file in a folder that is yours, or `-`.");
	return EXIT_USAGE;
}

/* The file is there as a whole or not at all, and for its owner only. */
int cmd_registry_export(struct cli *cli)
{
	const char *path = cli->args.v[0], *tmp = arena_printf(cli->a, "%s.tmp", path);
	struct stat st;
	size_t rows = 0;

	if (!strcmp(path, "-"))
		return write_rows(cli, stdout, &rows);
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {		/* it would be replaced: a device, a pipe */
		err_set(&cli->e, ERR_INVALID_INPUT, "%.200s is there, and is no plain file", path);
		err_hint(&cli->e, "Name a file in a folder that is yours, or `-`.");
		return EXIT_USAGE;
	}
	unlink(tmp);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *f = NULL;
	if (fd >= 0)
		f = fdopen(fd, "w");
	if (!f)
		return no_file(cli, tmp);
	int rc = write_rows(cli, f, &rows);
	bool bad = ferror(f) || fflush(f) || fsync(fd);
	if ((fclose(f) || bad || (!rc && rename(tmp, path))) && !rc)
		rc = no_file(cli, path);
	if (rc)
		unlink(tmp);
	else
		fprintf(stderr, "%zu rows in %s: names, addresses and hashes of tokens, no token itself.\n",
		    rows, path);
	return rc;
}

/* ---- import ---- */

struct registry_import {
	struct cli *cli;
	struct api_client c;
	struct buf rows;		/* of the next request */
	size_t n;
	uint64_t read, written;
	size_t left_out;
};

static int send_rows(struct registry_import *x)
{
	struct registry_import_out out = { 0 };
	struct arena *a = arena_new();
	enum answer answer = ANSWER_OK;

	if (x->n) {
		const char *args = arena_printf(a, "{\"rows\":[%s]}", x->rows.p);
		answer = client_get(
		    &x->c, "registry_import", args, 0, &rec_registry_import_out, &out, a, &x->cli->e);
	}
	for (size_t i = 0; i < out.left_out.n; i++)
		say(stderr, "left out: %s\n", out.left_out.v[i]);
	x->written += out.written;
	x->left_out += out.left_out.n;
	x->n = x->rows.n = 0;
	arena_free(a);
	return code_of(answer);
}

static int read_rows(struct registry_import *x, FILE *f)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int rc = EXIT_OK;

	if ((n = getline(&line, &cap, f)) < 0 || strncmp(line, head, strlen(head))) {
		err_set(&x->cli->e, ERR_INVALID_INPUT, "%.200s is no registry that was exported",
		    x->cli->args.v[0]);
		err_hint(&x->cli->e, "`atoll registry export` writes one.");
		rc = EXIT_USAGE;
	}
	while (!rc && (n = getline(&line, &cap, f)) > 0) {
		line[n - (line[n - 1] == '\n')] = 0;
		buf_str(&x->rows, x->n ? "," : "");
		json_quote(&x->rows, line);
		x->read++;
		if (++x->n == ROWS_AT_ONCE || x->rows.n > BYTES_AT_ONCE)
			rc = send_rows(x);
	}
	free(line);
	return rc ? rc : send_rows(x);
}

int cmd_registry_import(struct cli *cli)
{
	struct registry_import x = { .cli = cli, .c = registry_client(cli) };
	const char *path = cli->args.v[0];
	FILE *f = stdin;

	if (strcmp(path, "-"))
		f = fopen(path, "re");
	if (!f)
		return no_file(cli, path);
	int rc = read_rows(&x, f);
	if (f != stdin)
		fclose(f);
	buf_free(&x.rows);
	if (!rc)
		printf("%llu rows read, %llu written, %zu left out\n", (unsigned long long)x.read,
		    (unsigned long long)x.written, x.left_out);
	if (rc)
		return rc;
	if (x.left_out)
		return EXIT_TOOL;
	return EXIT_OK;
}

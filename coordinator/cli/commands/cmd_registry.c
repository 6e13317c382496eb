/* atoll registry ...: its state, export to a file and import from one. */
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

/* One request of an import: less than the coordinator's limits. */
enum { ROWS_AT_ONCE = 300, BYTES_AT_ONCE = 256 << 10 };

static const char head[] = "{\"atoll_registry\":1,";

static struct api_client registry_client(struct cli *cli)
{
	struct api_client c = client_from_options(cli);

	if (*cli->o.data)
		c.data = runtime_data_dir(cli->o.data, cli->a);
	return c;
}

static int exit_code(enum answer answer)
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
		answer = client_get(&c, "registry_export", args_end(&b, a), 0, &rec_registry_export_out,
		    &out, a, &cli->e);
		if (answer != ANSWER_OK)
			break;
		for (size_t i = 0; i < out.rows.n; i++)
			fprintf(f, "%s\n", out.rows.v[i]);
		*rows += out.rows.n;
		after = arena_str(cli->a, out.next);
		arena_reset(a);
	} while (after);
	arena_free(a);
	return exit_code(answer);
}

static int file_error(struct cli *cli, const char *path, const char *why)
{
	err_set(&cli->e, ERR_INVALID_INPUT, "%.200s: %s", path, why);
	err_hint(&cli->e, "Name a file in a folder that you may write to, or `-`.");
	return EXIT_USAGE;
}

/* Create the file `tmp` for its owner only, with all rows.  The exit code. */
static int write_file(struct cli *cli, const char *tmp, size_t *rows)
{
	FILE *f = NULL;

	unlink(tmp);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		f = fdopen(fd, "w");
	if (!f)
		return file_error(cli, tmp, strerror(errno));
	int rc = write_rows(cli, f, rows);
	bool bad = ferror(f) || fflush(f) || fsync(fd);
	bad |= fclose(f) != 0;
	if (bad && !rc)
		return file_error(cli, tmp, strerror(errno));
	return rc;
}

/* The file appears complete or not at all. */
int cmd_registry_export(struct cli *cli)
{
	const char *path = cli->args.v[0], *tmp = arena_printf(cli->a, "%s.tmp", path);
	struct stat st;
	size_t rows = 0;

	if (!strcmp(path, "-"))
		return write_rows(cli, stdout, &rows);
	if (!stat(path, &st) && !S_ISREG(st.st_mode))	/* rename would replace the device or pipe */
		return file_error(cli, path, "it exists and is not a regular file");
	int rc = write_file(cli, tmp, &rows);
	if (!rc && rename(tmp, path))
		rc = file_error(cli, path, strerror(errno));
	if (rc)
		unlink(tmp);
	else
		fprintf(stderr,
		    "%s contains %zu rows, with names, addresses and hashes of tokens, but no tokens.\n",
		    path, rows);
	return rc;
}

/* ---- import ---- */

struct registry_import {
	struct cli *cli;
	struct api_client c;
	struct buf rows;		/* for the next request, as JSON strings */
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
	return exit_code(answer);
}

static int read_rows(struct registry_import *x, FILE *f)
{
	char *line = NULL;
	size_t cap = 0;
	int rc = EXIT_OK;
	ssize_t n = getline(&line, &cap, f);

	if (n < 0 || strncmp(line, head, strlen(head))) {
		err_set(&x->cli->e, ERR_INVALID_INPUT, "%.200s is not an exported registry",
		    x->cli->args.v[0]);
		err_hint(&x->cli->e, "Run `atoll registry export FILE` to make one.");
		rc = EXIT_USAGE;
	}
	while (!rc && (n = getline(&line, &cap, f)) > 0) {
		line[strcspn(line, "\n")] = 0;
		buf_str(&x->rows, x->n ? "," : "");
		json_quote(&x->rows, line);
		x->read++;
		if (++x->n == ROWS_AT_ONCE || x->rows.n > BYTES_AT_ONCE)
			rc = send_rows(x);
	}
	free(line);
	if (rc)
		return rc;
	return send_rows(x);
}

int cmd_registry_import(struct cli *cli)
{
	struct registry_import x = { .cli = cli, .c = registry_client(cli) };
	const char *path = cli->args.v[0];
	FILE *f = stdin;

	if (strcmp(path, "-"))
		f = fopen(path, "re");
	if (!f)
		return file_error(cli, path, strerror(errno));
	int rc = read_rows(&x, f);
	if (f != stdin)
		fclose(f);
	buf_free(&x.rows);
	if (rc)
		return rc;
	printf("%llu rows read, %llu written, %zu left out\n", (unsigned long long)x.read,
	    (unsigned long long)x.written, x.left_out);
	if (x.left_out)
		return EXIT_TOOL;
	return EXIT_OK;
}

/* atoll certs ...: keys and certificates for hosts that trust each other.  No coordinator. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/net/certificates.h"
#include "proto/net/crypto.h"
#include "proto/record/json.h"

enum { SECRET = 32, DAYS_MAX = 36500 };	/* random bytes of a key; 100 years */

static const char *path_in(struct cli *cli, const char *dir, const char *file)
{
	return arena_printf(cli->a, "%s/%s", dir, file);
}

/* Create a file of random hex digits with mode 0600.  It must not exist. */
static int make_secret(struct cli *cli, const char *path)
{
	char hex[2 * SECRET + 1];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		return err_set(&cli->e, ERR_INVALID_INPUT,
		    "%s already exists, and is never overwritten", path);
	crypto_random_hex(hex, SECRET);
	bool good = fd >= 0 && dprintf(fd, "%s\n", hex) == 2 * SECRET + 1;
	if (fd >= 0 && close(fd))
		good = false;
	if (good)
		return 0;
	return err_set(&cli->e, ERR_INVALID_INPUT, "%s cannot be written: %s", path, strerror(errno));
}

static int check_days(struct cli *cli)
{
	if (cli->o.days >= 0 && cli->o.days <= DAYS_MAX)
		return 0;
	return err_set(&cli->e, ERR_INVALID_INPUT, "--days: %lld is not between 1 and %d",
	    (long long)cli->o.days, DAYS_MAX);
}

int cmd_certs_init(struct cli *cli)
{
	const char *dir = cli->args.v[0];
	const char *ca = path_in(cli, dir, "ca.pem"), *key = path_in(cli, dir, "ca.key");

	if (check_days(cli))
		return EXIT_USAGE;
	if (mkdir(dir, 0700) && errno != EEXIST) {
		err_set(&cli->e, ERR_INVALID_INPUT, "the folder %s cannot be created: %s", dir,
		    strerror(errno));
		return EXIT_UNAVAILABLE;
	}
	if (certs_create_ca(ca, key, cli->o.days ? cli->o.days : CERTS_CA_DAYS, &cli->e) ||
	    make_secret(cli, path_in(cli, dir, "cluster-key")) ||
	    make_secret(cli, path_in(cli, dir, "bootstrap-token")))
		return EXIT_UNAVAILABLE;
	printf("%s: the CA, for every host\n"
	       "%s: the CA's key; keep it off the hosts, because it can admit further ones\n"
	       "%s/cluster-key: for every host\n"
	       "%s/bootstrap-token: a coordinator's first token\n",
	    ca, key, dir, dir);
	return EXIT_OK;
}

/* The names in `typed`, which commas separate.  The first also names the files. */
static struct string_list split(struct cli *cli, const char *typed)
{
	struct string_list out = { arena_many(cli->a, strlen(typed) + 1, const char *), 0 };

	for (const char *p = typed; *p;) {
		size_t n = strcspn(p, ",");
		if (n)
			out.v[out.n++] = arena_strn(cli->a, p, n);
		p += n;
		if (*p)
			p++;
	}
	return out;
}

/* Whether NAME.pem may be the certificate of a host: `ca.pem` is the CA's. */
static bool is_file_name(const char *name)
{
	return !strchr(name, '/') && *name != '.' && strcmp(name, "ca") != 0;
}

static int issue(struct cli *cli, const char *dir, const char *typed)
{
	struct string_list names = split(cli, typed);
	const char *ca = path_in(cli, dir, "ca.pem"), *ca_key = path_in(cli, dir, "ca.key");

	if (!names.n || !is_file_name(names.v[0])) {
		err_set(&cli->e, ERR_INVALID_INPUT, "`%s` cannot name a host's files", typed);
		return err_hint(&cli->e,
		    "The first name also names the files: it has no `/`, does not begin with `.`, and is"
		    " not `ca`.");
	}
	const char *cert = path_in(cli, dir, arena_printf(cli->a, "%s.pem", names.v[0]));
	const char *key = path_in(cli, dir, arena_printf(cli->a, "%s.key", names.v[0]));
	if (certs_issue(ca, ca_key, cert, key, names.v, names.n,
	        cli->o.days ? cli->o.days : CERTS_DAYS, cli->o.renew, &cli->e)) {
		if (access(ca, F_OK))
			err_hint(&cli->e, "Run `atoll certs init %s` first to create a CA.", dir);
		return -1;
	}
	printf("%s, %s\n", cert, key);
	return 0;
}

int cmd_certs_issue(struct cli *cli)
{
	if (check_days(cli))
		return EXIT_USAGE;
	for (size_t i = 1; i < cli->args.n; i++)
		if (issue(cli, cli->args.v[0], cli->args.v[i]))
			return EXIT_UNAVAILABLE;
	return EXIT_OK;
}

/* ---- certs show ---- */

struct cert_row {
	const char *file, *state;
	struct cert c;
};

struct cert_report {
	struct cli *cli;
	struct cert_row *v;
	size_t n, cap;
	bool expired;
};

static const char *state_of(const struct cert *c, int64_t now)
{
	if (c->until < now)
		return "expired";
	if (c->from > now)
		return "not yet";
	if (c->until < now + CERTS_RENEW_BEFORE)
		return "expires soon";
	return "ok";
}

static int show_file(struct cert_report *s, const char *path)
{
	struct cert *v;
	size_t n;
	int64_t now = clock_real_ms() / 1000;

	if (certs_read(path, &v, &n, s->cli->a, &s->cli->e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		s->expired |= v[i].until < now;
		s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		s->v[s->n++] = (struct cert_row){ path, state_of(&v[i], now), v[i] };
	}
	return 0;
}

static int is_pem(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && !strcmp(d->d_name + n - 4, ".pem");
}

static int show_path(struct cert_report *s, const char *path)
{
	struct dirent **v;
	struct stat st;
	int rc = 0, n;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return show_file(s, path);
	n = scandir(path, &v, is_pem, alphasort);
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = show_file(s, path_in(s->cli, path, v[i]->d_name));
		free(v[i]);
	}
	if (n >= 0)
		free(v);
	if (rc)
		return rc;
	if (n > 0)
		return 0;
	return err_set(&s->cli->e, ERR_NOT_FOUND, "%s contains no *.pem file", path);
}

static const char *day(int64_t seconds, struct arena *a)
{
	char iso[CLOCK_ISO];

	clock_iso_at(seconds * 1000, iso);
	return arena_strn(a, iso, sizeof "2026-11-21" - 1);
}

static void print_json(const struct cert_report *s)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"certificates\":[");
	for (size_t i = 0; i < s->n; i++) {
		const struct cert_row *x = &s->v[i];
		char iso[CLOCK_ISO];
		clock_iso_at(x->c.until * 1000, iso);
		const char *const pairs[] = { "file", x->file, "state", x->state, "subject", x->c.subject,
			"issuer", x->c.issuer, "names", x->c.names, "until", iso };
		buf_str(&b, i ? ",{" : "{");
		for (size_t j = 0; j < LEN(pairs); j++) {
			if (j)
				buf_byte(&b, j % 2 ? ':' : ',');
			json_quote(&b, pairs[j]);
		}
		buf_printf(&b, ",\"ca\":%s}", x->c.ca ? "true" : "false");
	}
	buf_str(&b, "]}");
	term_print_json(b.p);
	buf_free(&b);
}

static void print_row(struct text_table *t, const struct cert_row *x, int64_t now, struct arena *a)
{
	const char *until = arena_printf(a, "until %s, %lld days", day(x->c.until, a),
	    (long long)(x->c.until - now) / 86400);
	const char *names = x->c.names, *issuer = "";

	if (!*names)
		names = x->c.subject;
	if (x->c.ca)
		names = arena_printf(a, "CA %s", x->c.subject);
	else
		issuer = arena_printf(a, "by %s", x->c.issuer);
	text_table_row(t, 5, x->state, x->file, names, until, issuer);
}

static void print_table(const struct cert_report *s)
{
	struct text_table *t = text_table_new();
	int64_t now = clock_real_ms() / 1000;

	for (size_t i = 0; i < s->n; i++)
		print_row(t, &s->v[i], now, s->cli->a);
	text_table_print(t, stdout);
}

int cmd_certs_show(struct cli *cli)
{
	struct cert_report s = { .cli = cli };
	int rc = 0;

	for (size_t i = 0; i < cli->args.n && !rc; i++)
		rc = show_path(&s, cli->args.v[i]);
	if (!rc && cli->o.json)
		print_json(&s);
	else if (!rc)
		print_table(&s);
	free(s.v);
	if (rc || s.expired)
		return EXIT_UNAVAILABLE;
	return EXIT_OK;
}

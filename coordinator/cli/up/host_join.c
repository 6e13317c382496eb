#include "coordinator/cli/up/host_join.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"

enum { PORT_MAX = 65535, LINE = 200 };

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* HOST and PORT of SCHEME://HOST:PORT/…; brackets stay. */
static void split(const char *url, const char **host, const char **port, struct arena *a)
{
	const char *p = strstr(url, "://");

	p = p ? p + 3 : url;
	size_t n = strcspn(p, "/"), k = *p == '[' ? strcspn(p, "]") + 1 : strcspn(p, ":/");
	*host = arena_strn(a, p, MIN(k, n));
	if (k < n && p[k] == ':')
		*port = arena_strn(a, p + k + 1, n - k - 1);
	else
		*port = "";
}

static bool is_any(const char *host)
{
	return !strcmp(host, "0.0.0.0") || !strcmp(host, "[::]") || !strcmp(host, "*") || !*host;
}

static bool is_here(const char *host)
{
	return !strcmp(host, "localhost") || !strcmp(host, "[::1]") || begins(host, "127.");
}

/* Of what it listens on, an address that can be reached from here: TLS first. */
static const char *choose(const char *url, const struct status_out *is, struct arena *a)
{
	const char *host, *port, *there, *unused, *plain = NULL;

	split(url, &there, &unused, a);
	for (size_t i = 0; i < is->memberships.n; i++) {
		const char *m = is->memberships.v[i];
		if (begins(m, "tls+tcp://")) {
			split(m, &host, &port, a);
			if (is_any(host))
				return arena_printf(a, "tls+tcp://%s:%s", there, port);
			return m;
		}
		if (!plain)
			plain = m;
	}
	if (is_here(there))
		return plain;
	return NULL;
}

/*
 * The address from which this machine reaches `url`, with brackets where they belong; NULL with
 * `e`.
 */
static const char *own_address(const char *url, struct arena *a, struct err *e)
{
	struct addrinfo want = { .ai_socktype = SOCK_DGRAM }, *v = NULL;
	struct sockaddr_storage own;
	socklen_t n = sizeof own;
	const char *host, *port;
	char text[80];

	split(url, &host, &port, a);
	if (*host == '[')
		host = arena_strn(a, host + 1, strlen(host) - 2);
	int rc = getaddrinfo(host, port, &want, &v);
	if (rc) {
		err_set(e, ERR_UNAVAILABLE, "%s: %s", url, gai_strerror(rc));
		return NULL;
	}
	int s = socket(v->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool got = s >= 0 && !connect(s, v->ai_addr, v->ai_addrlen) &&
	    !getsockname(s, (struct sockaddr *)&own, &n) &&
	    !getnameinfo((struct sockaddr *)&own, n, text, sizeof text, NULL, 0, NI_NUMERICHOST);
	freeaddrinfo(v);
	if (s >= 0)
		close(s);
	if (!got) {
		err_set(e, ERR_UNAVAILABLE, "%s: there is no way there", url);
		return NULL;
	}
	if (strchr(text, ':'))
		return arena_printf(a, "[%s]", text);
	return arena_str(a, text);
}

static int check_trust(const struct cli_options *o, struct err *e)
{
	const char *key = getenv("ATOLL_CLUSTER_KEY");
	const struct {
		const char *value, *flag;
	} want[] = { { o->tls_ca, "--tls-ca" }, { o->tls_cert, "--tls-cert" },
		{ o->tls_key, "--tls-key" },
		{ *o->cluster_key_file ? o->cluster_key_file : key, "--cluster-key-file" } };

	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		if (!want[i].value || !*want[i].value) {
			err_set(e, ERR_INVALID_INPUT,
			    "%s is missing: shards and coordinators trust each other by certificates and the cluster key",
			    want[i].flag);
			return err_hint(e,
			    "`atoll certs issue` makes a certificate for this machine, where the CA is; copy ca.pem, NAME.pem, NAME.key, cluster-key.");
		}
	return 0;
}

int host_join_resolve(struct host_join *j, const struct cli_options *o, const char *url,
    const struct status_out *is, const char *data, struct arena *a, struct err *e)
{
	const char *at = o->coordinator.n ? o->coordinator.v[0] : choose(url, is, a);

	*j = (struct host_join){ .coordinators = o->coordinator, .ports = arena_printf(a, "%s/ports", data), .first = o->ports };
	if (!at) {
		err_set(e, ERR_UNAVAILABLE,
		    "the coordinator at %s listens for shards of its own machine only", url);
		return err_hint(e,
		    "Start it with --listen tls+tcp://ADDRESS:7701, certificates and a cluster key (deploy/README.md).");
	}
	if (!j->coordinators.n) {
		j->coordinators = (struct string_list){ arena_many(a, 1, const char *), 1 };
		j->coordinators.v[0] = arena_str(a, at);
	}
	if (!begins(at, "tls+tcp://"))
		return 0;
	if (check_trust(o, e))
		return -1;
	if (strstr(o->advertise, "://"))
		return err_set(e, ERR_INVALID_INPUT,
		    "--advertise: `%.100s`: only a name or an address, as each shard has its own port",
		    o->advertise);
	if (o->ports < 1 || o->ports > PORT_MAX)
		return err_set(e, ERR_INVALID_INPUT, "--ports: %lld is no port", (long long)o->ports);
	if (*o->advertise) {
		j->advertise = o->advertise;
		j->address = "0.0.0.0";
	} else if (!(j->address = own_address(at, a, e)))
		return -1;
	return 0;
}

/* ---- ports: lines `label port` ---- */

struct port_assignment {
	char label[LINE];
	int number;
};

static size_t read_ports(const struct host_join *j, struct port_assignment **v, struct arena *a)
{
	char line[LINE + 20];
	FILE *f = fopen(j->ports, "re");
	size_t n = 0, cap = 0;

	for (*v = NULL; f && fgets(line, sizeof line, f);) {
		if (n == cap) {
			struct port_assignment *more = arena_many(
			    a, cap = cap ? 2 * cap : 64, struct port_assignment);
			if (n)
				memcpy(more, *v, n * sizeof *more);
			*v = more;
		}
		if (sscanf(line, "%199s %d", (*v)[n].label, &(*v)[n].number) == 2)
			n++;
	}
	if (f)
		fclose(f);
	return n;
}

static int write_ports(
    const struct host_join *j, const struct port_assignment *v, size_t n, struct arena *a)
{
	const char *tmp = arena_printf(a, "%s.tmp", j->ports);
	FILE *f = fopen(tmp, "we");
	bool good = f != NULL;

	for (size_t i = 0; i < n && good; i++)
		if (v[i].number)
			good = fprintf(f, "%s %d\n", v[i].label, v[i].number) > 0;
	if (f && fclose(f))
		good = false;
	if (good && !rename(tmp, j->ports))
		return 0;
	return -1;
}

/* Whether somebody else listens there. */
static bool is_busy(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	bool busy = s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at);
	if (s >= 0)
		close(s);
	return busy;
}

static int lowest_free(const struct port_assignment *v, size_t n, int first)
{
	for (bool taken = true; taken && first <= PORT_MAX; first += taken) {
		taken = is_busy(first);
		for (size_t i = 0; i < n; i++)
			taken |= v[i].number == first;
	}
	return first;
}

int host_join_port(const struct host_join *j, const char *label)
{
	struct arena *a = arena_new();
	struct port_assignment *v, *more;
	size_t n = read_ports(j, &v, a);
	int port = 0;

	for (size_t i = 0; i < n && !port; i++) {
		if (strcmp(v[i].label, label))
			port = 0;
		else
			port = v[i].number;
	}
	if (!port) {
		port = lowest_free(v, n, (int)j->first);
		more = arena_many(a, n + 1, struct port_assignment);
		if (n)
			memcpy(more, v, n * sizeof *more);
		snprintf(more[n].label, sizeof more[n].label, "%s", label);
		more[n].number = port;
		if (port > PORT_MAX || write_ports(j, more, n + 1, a))
			port = -1;
	}
	arena_free(a);
	return port;
}

void host_join_release_port(const struct host_join *j, const char *label)
{
	struct arena *a = arena_new();
	struct port_assignment *v;
	size_t n = read_ports(j, &v, a);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].label, label))
			v[i].number = 0;
	write_ports(j, v, n, a);
	arena_free(a);
}

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
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

enum { PORT_MAX = 65535, LINE = 200 };

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Split SCHEME://HOST:PORT/…; the host of an IPv6 address keeps its brackets. */
static void split(const char *url, const char **host, const char **port, struct arena *a)
{
	const char *scheme = strstr(url, "://"), *p = url;

	if (scheme)
		p = scheme + strlen("://");
	size_t n = strcspn(p, "/"), k = strcspn(p, ":/");
	if (*p == '[')
		k = strcspn(p, "]") + 1;
	*host = arena_strn(a, p, MIN(k, n));
	*port = "";
	if (k < n && p[k] == ':')
		*port = arena_strn(a, p + k + 1, n - k - 1);
}

static bool is_any(const char *host)
{
	return !strcmp(host, "0.0.0.0") || !strcmp(host, "[::]") || !strcmp(host, "*") || !*host;
}

static bool is_here(const char *host)
{
	return !strcmp(host, "localhost") || !strcmp(host, "[::1]") || begins(host, "127.");
}

/* An address on which the coordinator listens and that is reachable from here; TLS is preferred. */
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

/* The local address of a connection to `to`, as text.  0 or -1. */
static int local_address(const struct addrinfo *to, char *text, size_t size)
{
	struct sockaddr_storage own;
	socklen_t n = sizeof own;
	int s = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return -1;
	int rc = connect(s, to->ai_addr, to->ai_addrlen);	/* of a datagram socket: sends nothing */
	if (!rc)
		rc = getsockname(s, (struct sockaddr *)&own, &n);
	close(s);
	if (!rc)
		rc = getnameinfo(
		    (struct sockaddr *)&own, n, text, (socklen_t)size, NULL, 0, NI_NUMERICHOST);
	if (rc)
		return -1;
	return 0;
}

/* The address from which this machine reaches `url`, with brackets around IPv6; NULL with `e`. */
static const char *own_address(const char *url, struct arena *a, struct err *e)
{
	struct addrinfo want = { .ai_socktype = SOCK_DGRAM }, *v = NULL;
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
	rc = local_address(v, text, sizeof text);
	freeaddrinfo(v);
	if (rc) {
		err_set(e, ERR_UNAVAILABLE, "%s: no route to this address", url);
		return NULL;
	}
	if (strchr(text, ':'))
		return arena_printf(a, "[%s]", text);
	return arena_str(a, text);
}

static int check_trust(const struct cli_options *o, struct err *e)
{
	const char *key = o->cluster_key_file;

	if (!*key)
		key = text_or_empty(getenv("ATOLL_CLUSTER_KEY"));
	const struct {
		const char *value, *flag;
	} want[] = {
		{ o->tls_ca, "--tls-ca" },
		{ o->tls_cert, "--tls-cert" },
		{ o->tls_key, "--tls-key" },
		{ key, "--cluster-key-file" },
	};

	for (size_t i = 0; i < LEN(want); i++) {
		if (*text_or_empty(want[i].value))
			continue;
		err_set(e, ERR_INVALID_INPUT,
		    "%s is missing: shards and coordinators on different hosts authenticate with"
		    " certificates and the cluster key",
		    want[i].flag);
		return err_hint(e,
		    "Run `atoll certs issue DIR NAME` where the CA is, then copy ca.pem, NAME.pem, NAME.key"
		    " and cluster-key to this machine.");
	}
	return 0;
}

/* Check the options of a coordinator that is reached over TLS, and find the shards' addresses. */
static int resolve_tls(struct host_join *j, const struct cli_options *o, const char *coordinator,
    struct arena *a, struct err *e)
{
	if (check_trust(o, e))
		return -1;
	if (strstr(o->advertise, "://"))
		return err_set(e, ERR_INVALID_INPUT,
		    "--advertise: `%.100s` is a URL; give a name or an address only, because each shard has"
		    " its own port",
		    o->advertise);
	if (o->ports < 1 || o->ports > PORT_MAX)
		return err_set(e, ERR_INVALID_INPUT, "--ports: %lld is not between 1 and %d",
		    (long long)o->ports, PORT_MAX);
	if (*o->advertise) {
		j->advertise = o->advertise;
		j->address = "0.0.0.0";
		return 0;
	}
	j->address = own_address(coordinator, a, e);
	if (j->address)
		return 0;
	return -1;
}

int host_join_resolve(struct host_join *j, const struct cli_options *o, const char *url,
    const struct status_out *is, const char *data, struct arena *a, struct err *e)
{
	const char *at;

	*j = (struct host_join){ .coordinators = o->coordinator,
		.ports = arena_printf(a, "%s/ports", data),
		.first = o->ports };
	if (o->coordinator.n)
		at = o->coordinator.v[0];
	else
		at = choose(url, is, a);
	if (!at) {
		err_set(e, ERR_UNAVAILABLE,
		    "the coordinator at %s listens only for shards of its own machine", url);
		return err_hint(e,
		    "Start it with --listen tls+tcp://ADDRESS:7701, certificates and a cluster key"
		    " (deploy/README.md).");
	}
	if (!j->coordinators.n) {
		j->coordinators = (struct string_list){ arena_many(a, 1, const char *), 1 };
		j->coordinators.v[0] = arena_str(a, at);
	}
	if (!begins(at, "tls+tcp://"))
		return 0;
	return resolve_tls(j, o, at, a, e);
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
	size_t n = 0, cap = 64;

	*v = arena_many(a, cap, struct port_assignment);
	if (!f)
		return 0;
	while (fgets(line, sizeof line, f)) {
		if (n == cap) {
			struct port_assignment *more = arena_many(a, 2 * cap, struct port_assignment);
			memcpy(more, *v, n * sizeof *more);
			*v = more;
			cap *= 2;
		}
		if (sscanf(line, "%199s %d", (*v)[n].label, &(*v)[n].number) == 2)
			n++;
	}
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

/* Whether another program listens on the port. */
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

static bool is_assigned(const struct port_assignment *v, size_t n, int port)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].number == port)
			return true;
	return false;
}

static int lowest_free(const struct port_assignment *v, size_t n, int first)
{
	int port = first;

	while (port <= PORT_MAX && (is_busy(port) || is_assigned(v, n, port)))
		port++;
	return port;
}

/* The port of the label, or 0. */
static int find_port(const struct port_assignment *v, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].number && !strcmp(v[i].label, label))
			return v[i].number;
	return 0;
}

/* Assign the lowest free port.  -1 if there is none or the file cannot be written. */
static int assign_port(const struct host_join *j, const struct port_assignment *v, size_t n,
    const char *label, struct arena *a)
{
	struct port_assignment *more = arena_many(a, n + 1, struct port_assignment);
	int port = lowest_free(v, n, (int)j->first);

	memcpy(more, v, n * sizeof *more);
	snprintf(more[n].label, sizeof more[n].label, "%s", label);
	more[n].number = port;
	if (port > PORT_MAX || write_ports(j, more, n + 1, a))
		return -1;
	return port;
}

int host_join_port(const struct host_join *j, const char *label)
{
	struct arena *a = arena_new();
	struct port_assignment *v;
	size_t n = read_ports(j, &v, a);
	int port = find_port(v, n, label);

	if (!port)
		port = assign_port(j, v, n, label, a);
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

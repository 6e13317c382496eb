#include "coordinator/http/origin_check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "proto/base/err.h"

enum { BACKLOG = 4096, DEFER_S = 1 };

/* Parses `:PORT` or an empty string, for which the port is -1. */
static bool parse_port(const char *text, long *port)
{
	*port = -1;
	if (!*text)
		return true;
	if (*text != ':')
		return false;
	size_t digits = strspn(text + 1, "0123456789");
	if (!digits || digits > 5 || text[1 + digits])
		return false;
	*port = atol(text + 1);
	return *port <= 65535;
}

/* Splits `HOST[:PORT]` or `[V6][:PORT]`; the port is -1 if there is none. */
static bool split(const char *text, char *host, size_t size, long *port)
{
	const char *rest;
	size_t n;

	if (*text == '[') {
		text++;
		n = strcspn(text, "]");
		if (!text[n])
			return false;
		rest = text + n + 1;
	} else {
		n = strcspn(text, ":");
		rest = text + n;
	}
	if (!n || n >= size)
		return false;
	snprintf(host, size, "%.*s", (int)n, text);
	return parse_port(rest, port);
}

/* The address of `localhost` or of an IP address; AF_UNSPEC for any other name. */
static int address(const char *host, struct in_addr *v4, struct in6_addr *v6)
{
	if (!strcasecmp(host, "localhost"))
		host = "127.0.0.1";
	if (inet_pton(AF_INET, host, v4) == 1)
		return AF_INET;
	if (inet_pton(AF_INET6, host, v6) == 1)
		return AF_INET6;
	return AF_UNSPEC;
}

static bool is_loopback(int family, const struct in_addr *v4, const struct in6_addr *v6)
{
	if (family == AF_INET)
		return ntohl(v4->s_addr) >> 24 == 127;
	return family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(v6);
}

int origin_address(
    const char *text, struct sockaddr_storage *sa, socklen_t *len, bool *loopback, struct err *e)
{
	struct in_addr v4;
	struct in6_addr v6;
	char host[80];
	long port = -1;
	int family = AF_UNSPEC;

	if (split(text, host, sizeof host, &port) && port >= 0)
		family = address(host, &v4, &v6);
	memset(sa, 0, sizeof *sa);
	if (family == AF_UNSPEC) {
		err_set(e, ERR_INVALID_INPUT, "--http: `%.80s` is not HOST:PORT", text);
		return err_hint(e,
		    "HOST is localhost or an IP address,"
		    " for example 127.0.0.1:7700, 0.0.0.0:7700 or [::1]:7700.");
	}
	*loopback = is_loopback(family, &v4, &v6);
	if (family == AF_INET) {
		struct sockaddr_in in = {
			.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = v4
		};
		*len = sizeof in;
		memcpy(sa, &in, sizeof in);
	} else {
		struct sockaddr_in6 in = {
			.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = v6
		};
		*len = sizeof in;
		memcpy(sa, &in, sizeof in);
	}
	return 0;
}

/* Opens a listening socket, and sets `sa` to its address with the real port.  -1 with errno. */
static int open_socket(struct sockaddr_storage *sa, socklen_t *len)
{
	int on = 1;
	int fd = socket(sa->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) &&
	    !bind(fd, (struct sockaddr *)sa, *len) && !listen(fd, BACKLOG) &&
	    !getsockname(fd, (struct sockaddr *)sa, len))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

int origin_listen(const char *text, const char *scheme, char *url, size_t size, struct err *e)
{
	struct sockaddr_storage sa;
	socklen_t len = 0;
	char host[NI_MAXHOST], port[NI_MAXSERV];
	bool loopback;
	int defer = DEFER_S;

	if (origin_address(text, &sa, &len, &loopback, e))
		return -1;
	int fd = open_socket(&sa, &len);
	if (fd < 0 ||
	    getnameinfo((struct sockaddr *)&sa, len, host, sizeof host, port, sizeof port,
	        NI_NUMERICHOST | NI_NUMERICSERV)) {
		err_set(e, ERR_UNAVAILABLE, "cannot listen on %s: %s", text, strerror(errno));
		err_hint(e, "Pass another address with --http, or --http 127.0.0.1:0 for any free port.");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	/* The kernel holds silent connections back for a moment: most then come with a request. */
	setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &defer, sizeof defer);
	if (sa.ss_family == AF_INET6)
		snprintf(url, size, "%s://[%.60s]:%.8s", scheme, host, port);
	else
		snprintf(url, size, "%s://%.60s:%.8s", scheme, host, port);
	return fd;
}

bool origin_host_allowed(const char *host, const struct origin_names *names)
{
	struct in_addr v4;
	struct in6_addr v6;
	char name[256];
	long port;

	if (!split(host, name, sizeof name, &port))
		return false;
	int family = address(name, &v4, &v6);
	if (family == AF_INET6 && *host != '[')
		return false;
	if (is_loopback(family, &v4, &v6) || (names->addresses && family != AF_UNSPEC))
		return true;
	for (size_t i = 0; i < names->n; i++)
		if (!strcasecmp(names->v[i], name))
			return true;
	return false;
}

bool origin_page_allowed(const char *origin, const char *host)
{
	static const struct origin_names none;
	const char *authority;

	if (!strncasecmp(origin, "http://", 7))
		authority = origin + 7;
	else if (!strncasecmp(origin, "https://", 8))
		authority = origin + 8;
	else
		return false;
	if (origin_host_allowed(authority, &none))
		return true;
	return host && !strcasecmp(authority, host);
}

#include "coordinator/origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "proto/base/err.h"

enum { BACKLOG = 512 };

/* `HOST[:PORT]` or `[V6][:PORT]` in two pieces; port -1 when there is none.  False when it is neither. */
static bool split(const char *text, char *host, size_t size, long *port)
{
	const char *end = *text == '[' ? strchr(text, ']') : text + strcspn(text, ":");
	size_t skip = *text == '[';

	if (!end || (size_t)(end - text) - skip >= size || end == text + skip)
		return false;
	snprintf(host, size, "%.*s", (int)((size_t)(end - text) - skip), text + skip);
	end += skip;
	*port = -1;
	if (!*end)
		return true;
	size_t digits = strspn(end + 1, "0123456789");
	if (*end != ':' || !digits || digits > 5 || end[1 + digits])
		return false;
	*port = atol(end + 1);
	return *port <= 65535;
}

/* The loopback address that `host` means; 0 for the family when it means none. */
static int loopback(const char *host, struct in_addr *v4, struct in6_addr *v6)
{
	if (!strcasecmp(host, "localhost"))
		return inet_pton(AF_INET, "127.0.0.1", v4) == 1 ? AF_INET : 0;
	if (inet_pton(AF_INET, host, v4) == 1)
		return ntohl(v4->s_addr) >> 24 == 127 ? AF_INET : 0;
	if (inet_pton(AF_INET6, host, v6) == 1)
		return IN6_IS_ADDR_LOOPBACK(v6) ? AF_INET6 : 0;
	return 0;
}

int origin_address(const char *text, struct sockaddr_storage *sa, socklen_t *len, struct err *e)
{
	struct in_addr v4;
	struct in6_addr v6;
	char host[80];
	long port;

	memset(sa, 0, sizeof *sa);
	if (!split(text, host, sizeof host, &port) || port < 0)
		return err_set(e, ERR_INVALID_INPUT, "--http: `%.80s` is not HOST:PORT, for example 127.0.0.1:7700", text);
	int family = loopback(host, &v4, &v6);
	if (!family) {
		err_set(e, ERR_INVALID_INPUT, "--http: `%.80s` is not a loopback address, and whoever reaches "
		    "it could read every repository: there are no tokens", text);
		return err_hint(e, "Pass --http 127.0.0.1:%ld and reach it over an SSH tunnel or an authenticating proxy.",
		    port);
	}
	if (family == AF_INET) {
		struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = v4 };
		memcpy(sa, &in, *len = sizeof in);
	} else {
		struct sockaddr_in6 in = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port),
			.sin6_addr = v6 };
		memcpy(sa, &in, *len = sizeof in);
	}
	return 0;
}

int origin_listen(const char *text, char *url, size_t size, struct err *e)
{
	struct sockaddr_storage sa;
	socklen_t len = 0;
	char host[NI_MAXHOST], port[NI_MAXSERV];
	int on = 1;

	if (origin_address(text, &sa, &len, e))
		return -1;
	int fd = socket(sa.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
	    bind(fd, (struct sockaddr *)&sa, len) || listen(fd, BACKLOG) ||
	    getsockname(fd, (struct sockaddr *)&sa, &len) || getnameinfo((struct sockaddr *)&sa, len, host, sizeof host,
	    port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV)) {
		err_set(e, ERR_UNAVAILABLE, "cannot listen on %s: %s", text, strerror(errno));
		err_hint(e, "Pass another address with --http, or --http 127.0.0.1:0 for any free port.");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	bool v6 = sa.ss_family == AF_INET6;
	snprintf(url, size, "http://%s%.60s%s:%.8s", v6 ? "[" : "", host, v6 ? "]" : "", port);
	return fd;
}

bool origin_host(const char *host)
{
	struct in_addr v4;
	struct in6_addr v6;
	char name[80];
	long port;

	return split(host, name, sizeof name, &port) && loopback(name, &v4, &v6);
}

bool origin_page(const char *origin)
{
	if (!strncasecmp(origin, "http://", 7))
		return origin_host(origin + 7);
	return !strncasecmp(origin, "https://", 8) && origin_host(origin + 8);
}

/* Replacements of libc functions that change what nng 1.5 does where it has no option for it. */
#include <dlfcn.h>
#include <errno.h>
#include <nng/nng.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire_internal.h"

/* the number of processors reported to nng: it starts two task threads and one for timers */
enum { PROCESSORS = 1 };
enum { ROOM = 4096 };		/* also the default of the kernel's limit, net.core.somaxconn */

_Thread_local int wire_last_socket = -1;

/* The address of libc's own function with that name. */
static uintptr_t next_of(const char *name, _Atomic(uintptr_t) *found)
{
	uintptr_t next = atomic_load(found);

	if (!next) {
		next = (uintptr_t)dlsym(RTLD_NEXT, name);
		atomic_store(found, next);
	}
	return next;
}

static ssize_t size_of(const struct msghdr *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->msg_iovlen; i++)
		n += m->msg_iov[i].iov_len;
	return (ssize_t)n;
}

/*
 * Replaces libc's function.  A message to a peer that has closed the connection counts as sent;
 * reading will report the close.  nng 1.5 mistakes EPIPE before the handshake for the end of its
 * own listener or dialer, which then never accepts or dials again (#1518, fixed in 1.6).
 */
ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	static _Atomic(uintptr_t) found;

	wire_last_socket = fd;
	ssize_t n = ((ssize_t(*)(int, const struct msghdr *, int))next_of("sendmsg", &found))(
	    fd, m, flags);
	if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
		return size_of(m);
	return n;
}

/*
 * Replaces functions of nng itself, which it calls for each piece of a message.  A piece that is
 * requested while its connection is closing never completes (nni_aio_begin refuses it and reports
 * that to nobody), and the thread that frees connections waits for it for ever.  Here it completes
 * with ECONNRESET; CLOSED would end a listener.  Only such pieces have the result ECANCELED, and
 * their owner holds the lock that completing takes, so the piece still exists.
 */
static void stream(const char *name, _Atomic(uintptr_t) *found, nng_stream *s, nng_aio *aio)
{
	((void (*)(nng_stream *, nng_aio *))next_of(name, found))(s, aio);
	if (nng_aio_result(aio) == NNG_ECANCELED)
		nng_aio_finish(aio, NNG_ECONNRESET);
}

void nng_stream_recv(nng_stream *s, nng_aio *aio)
{
	static _Atomic(uintptr_t) found;

	stream("nng_stream_recv", &found, s, aio);
}

void nng_stream_send(nng_stream *s, nng_aio *aio)
{
	static _Atomic(uintptr_t) found;

	stream("nng_stream_send", &found, s, aio);
}

/*
 * Whether what should be nng's preamble or a length, both of eight bytes, is the beginning of a TLS
 * ClientHello, or a complete TLS alert.
 */
static bool is_tls(const unsigned char *p, ssize_t n)
{
	if (p[1] != 3)
		return false;
	if (n == 7)
		return p[0] == 0x15;
	return n == 8 && p[0] == 0x16 && p[5] == 1 && !p[6];
}

static void log_tls_peer(int fd)
{
	char peer[64] = "unknown", own[64] = "unknown";
	int e = errno;

	wire_socket_peer(fd, peer, sizeof peer);
	wire_socket_own(fd, own, sizeof own);
	wire_log_refusal(WIRE_REFUSAL_TLS, peer, own,
	    "it speaks TLS, and this end does not: use tls+tcp:// at both ends or at neither");
	errno = e;
}

/*
 * Replaces libc's function.  nng closes the connection of a peer that speaks TLS to a port without
 * TLS, and reports neither that nor the socket.
 */
ssize_t readv(int fd, const struct iovec *v, int count)
{
	static _Atomic(uintptr_t) found;

	wire_last_socket = fd;
	ssize_t n = ((ssize_t(*)(int, const struct iovec *, int))next_of("readv", &found))(
	    fd, v, count);
	bool header = n >= 7 && count == 1 && v->iov_len == 8;
	if (header && is_tls(v->iov_base, n))
		log_tls_peer(fd);
	return n;
}

/*
 * Replaces libc's function.  nng adds a socket to epoll before it connects it.  Epoll reports such
 * a socket as hung up, again and again, until it is connected, or closed by another thread, so the
 * polling thread spins.  With many processes on a host that had lost their coordinator, this took
 * all processors, and delayed the threads that should have closed the sockets.  One report is
 * enough: nng re-arms a socket whenever it waits for an event.
 */
int epoll_ctl(int epfd, int op, int fd, struct epoll_event *ev)
{
	static _Atomic(uintptr_t) found;

	if (op == EPOLL_CTL_ADD && ev && !ev->events)
		ev->events = EPOLLONESHOT;
	return ((int (*)(int, int, int, struct epoll_event *))next_of("epoll_ctl", &found))(
	    epfd, op, fd, ev);
}

/* Whether the code is nng's library, or, where nng is linked statically, in this program. */
static bool is_nng(const void *code)
{
	Dl_info caller, nng;
	void *function = dlsym(RTLD_DEFAULT, "nng_random");

	if (!function || !dladdr(function, &nng) || !dladdr(code, &caller))
		return true;
	return caller.dli_fbase == nng.dli_fbase;
}

/*
 * Replaces libc's function.  nng uses a backlog of 128 connections.  When more shards than that
 * dial a coordinator that has just started, the kernel drops their packets, and they retry after
 * one, three, seven seconds.
 */
int listen(int fd, int room)
{
	static _Atomic(uintptr_t) found;

	return ((int (*)(int, int))next_of("listen", &found))(fd, MAX(ROOM, room));
}

/*
 * Replaces libc's function.  nng draws four random bytes for the delay before it redials, and uses
 * them as a signed number, so half of the delays would be negative.  Other callers get what they
 * draw.
 */
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
	static _Atomic(uintptr_t) found;
	uint32_t drawn;

	ssize_t got = ((ssize_t(*)(void *, size_t, unsigned))next_of("getrandom", &found))(p, n, flags);
	if (got == (ssize_t)sizeof drawn && is_nng(__builtin_return_address(0))) {
		memcpy(&drawn, p, sizeof drawn);
		drawn &= INT32_MAX;
		memcpy(p, &drawn, sizeof drawn);
	}
	return got;
}

static volatile bool starting;

long __sysconf(int name);	/* libc's own */

/*
 * Replaces libc's function while nng starts.  nng starts two threads per processor, and each
 * message wakes several of them for nothing: with two threads in all, a search takes half as many
 * context switches, and a host with many shards has fewer idle threads.  Sanitizers call this
 * before they are initialised, so it must not be instrumented.
 */
__attribute__((no_sanitize("thread", "address", "undefined")))
long sysconf(int name)
{
	if (name == _SC_NPROCESSORS_ONLN && starting)
		return PROCESSORS;
	return __sysconf(name);
}

static void start(void)
{
	nng_aio *aio;

	starting = true;
	if (nng_aio_alloc(&aio, NULL, NULL))	/* the first call of any function starts nng */
		die("nng cannot allocate");
	nng_aio_free(aio);
	starting = false;
	wire_wakeups_init(2 * PROCESSORS);
}

void wire_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start);
}

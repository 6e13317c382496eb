/* What stands between nng 1.5 and libc, which it asks in ways that it gives no option for. */
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

/* that nng is told of: two threads run what it has to do, and one looks at the clock */
enum { PROCESSORS = 1 };
enum { ROOM = 4096 };		/* the kernel has its own limit, net.core.somaxconn, of as many */

_Thread_local int wire_last_socket = -1;

/* libc's own function of that name. */
static uintptr_t next_of(const char *name, _Atomic(uintptr_t) *found)
{
	uintptr_t next = atomic_load(found);

	if (!next) {
		next = (uintptr_t)dlsym(RTLD_NEXT, name);
		atomic_store(found, next);
	}
	return next;
}

static ssize_t all_of(const struct msghdr *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->msg_iovlen; i++)
		n += m->msg_iov[i].iov_len;
	return (ssize_t)n;
}

/*
 * In front of libc's, for nng 1.5.  What goes to a peer that has left is as good as sent: that it
 * has left is found where it is read from.  nng would take EPIPE before the handshake for the end
 * of its own listener or dialer, which never accepts or dials again (#1518, mended in 1.6).
 */
ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	static _Atomic(uintptr_t) found;

	wire_last_socket = fd;
	ssize_t n = ((ssize_t(*)(int, const struct msghdr *, int))next_of("sendmsg", &found))(
	    fd, m, flags);
	if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
		return all_of(m);
	return n;
}

/*
 * In front of nng's own, which it calls for each piece of a message: one that is asked for while
 * its connection is being closed has no end there (nni_aio_begin says no, and nobody is told), and
 * the thread that frees connections waits for it for ever.  Nothing else ends such a piece as
 * cancelled; its owner holds the lock that its end takes, so it is still there.  CLOSED would end
 * a listener.
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
 * Where eight bytes are a greeting or a length, the beginning of a TLS handshake, or the whole of
 * its refusal.
 */
static bool is_tls(const unsigned char *p, ssize_t n)
{
	return p[1] == 3 &&
	    ((n == 8 && p[0] == 0x16 && p[5] == 1 && !p[6]) || (n == 7 && p[0] == 0x15));
}

/*
 * In front of libc's: nng hangs up without a word on who speaks TLS to a port that does not; and
 * which socket it was is told nowhere.
 */
ssize_t readv(int fd, const struct iovec *v, int count)
{
	static _Atomic(uintptr_t) found;

	wire_last_socket = fd;
	ssize_t n = ((ssize_t(*)(int, const struct iovec *, int))next_of("readv", &found))(
	    fd, v, count);
	if (n >= 7 && count == 1 && v->iov_len == 8 && is_tls(v->iov_base, n)) {
		char peer[64] = "unknown", own[64] = "unknown";
		int e = errno;
		wire_socket_peer(fd, peer, sizeof peer);
		wire_socket_own(fd, own, sizeof own);
		wire_log_refusal(WIRE_REFUSAL_TLS, peer, own,
		    "it speaks TLS, and this end does not: tls+tcp:// is wanted at both or none");
		errno = e;
	}
	return n;
}

/*
 * In front of libc's.  nng hands a socket to epoll before it connects it, and such a one is hung
 * up all the time: until it is connected, or closed by another thread, the one that waits there
 * does nothing but hear of it.  With many processes on a host that lost their coordinator this
 * took all processors, and the longer who should have closed it waited for one, the more.  Once is
 * enough: nng asks anew for whatever it wants to hear.
 */
int epoll_ctl(int epfd, int op, int fd, struct epoll_event *ev)
{
	static _Atomic(uintptr_t) found;

	if (op == EPOLL_CTL_ADD && ev && !ev->events)
		ev->events = EPOLLONESHOT;
	return ((int (*)(int, int, int, struct epoll_event *))next_of("epoll_ctl", &found))(
	    epfd, op, fd, ev);
}

/* Whether that is code of nng's library: all of the program where it is linked into it. */
static bool is_nng(const void *code)
{
	Dl_info caller, nng;
	void *some = dlsym(RTLD_DEFAULT, "nng_random");

	return !some || !dladdr(some, &nng) || !dladdr(code, &caller) ||
	    caller.dli_fbase == nng.dli_fbase;
}

/*
 * In front of libc's.  nng asks for room for 128 who have connected and were not let in yet.  When
 * more shards than that dial a coordinator which has just begun, the kernel drops what they send,
 * and they send it again after one, three, seven seconds.
 */
int listen(int fd, int room)
{
	static _Atomic(uintptr_t) found;

	return ((int (*)(int, int))next_of("listen", &found))(fd, MAX(ROOM, room));
}

/*
 * In front of libc's.  nng draws four bytes for the time until it dials again, and takes them for
 * a number with a sign: half of all times were over before they began.  What others draw is
 * theirs.
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
 * In front of libc's while nng starts.  nng begins two threads for each processor, and for each
 * message wakes several of them that find nothing to do: with two in all a search takes half as
 * many switches.  A server's idle threads also fill a host of many shards. A sanitizer asks before
 * it is ready itself: so nothing here is looked at by one.
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
	if (nng_aio_alloc(&aio, NULL, NULL))	/* whatever is called first starts it */
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

#include "shard/sandbox/sandbox.h"

#include <link.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/sanitized.h"
#include "shard/sandbox/syscalls.h"

/* Files of the system that every program reads. */
static const struct sandbox_path common[] = {
	{ "/lib", LANDLOCK_READ }, { "/lib64", LANDLOCK_READ }, { "/usr/lib", LANDLOCK_READ },
	{ "/usr/lib64", LANDLOCK_READ }, { "/usr/local/lib", LANDLOCK_READ },
	{ "/usr/share/zoneinfo", LANDLOCK_READ }, { "/etc/localtime", LANDLOCK_READ },
	{ "/etc/ld.so.cache", LANDLOCK_READ }, { "/etc/ssl/openssl.cnf", LANDLOCK_READ },
	{ "/etc/crypto-policies", LANDLOCK_READ }, { "/sys/devices/system/cpu", LANDLOCK_READ },
	{ "/proc/sys/vm/overcommit_memory", LANDLOCK_READ }, { "/dev/urandom", LANDLOCK_READ },
	{ "/dev/null", LANDLOCK_READ | LANDLOCK_WRITE },
};

static const char *const network[] = {
	"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
	"/etc/services", "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
	"/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/run/systemd/resolve",
	"/run/resolvconf", "/run/nscd",
};

void sandbox_allow(struct sandbox *s, const char *path, unsigned what)
{
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = (struct sandbox_path){ arena_str(s->a, path), what };
}

void sandbox_allow_network(struct sandbox *s)
{
	static const char *const names[] = { "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE" };

	s->network = true;
	for (size_t i = 0; i < LEN(network); i++)
		sandbox_allow(s, network[i], LANDLOCK_READ);
	for (size_t i = 0; i < LEN(names); i++)
		if (getenv(names[i]))
			sandbox_allow(s, getenv(names[i]), LANDLOCK_READ);
}

/* The dynamic loader that this program names; the kernel opens it together with the program. */
static int find_loader(struct dl_phdr_info *program, size_t size, void *found)
{
	const ElfW(Phdr) *part = program->dlpi_phdr;

	(void)size;
	for (size_t i = 0; i < program->dlpi_phnum; i++, part++)
		if (part->p_type == PT_INTERP)
			*(const char **)found = (const char *)(program->dlpi_addr + part->p_vaddr);
	return 1;	/* the first is this program */
}

void sandbox_allow_program(struct sandbox *s, const char *path)
{
	const char *loader = NULL;

	dl_iterate_phdr(find_loader, &loader);
	if (loader)
		sandbox_allow(s, loader, LANDLOCK_READ | LANDLOCK_EXECUTE);
	sandbox_allow(s, path, LANDLOCK_READ | LANDLOCK_EXECUTE);
	s->programs = true;
}

/* Allow the folder of the file in `key=FILE`, in the options of a sanitizer. */
static void allow_named(struct sandbox *s, const char *options, const char *key, unsigned what)
{
	const char *path = NULL;

	if (options)
		path = strstr(options, key);
	if (!path)
		return;
	path += strlen(key);
	size_t n = strcspn(path, ":");
	while (n && path[n - 1] != '/')
		n--;
	if (n)
		sandbox_allow(s, arena_strn(s->a, path, n), what);
}

/*
 * A sanitizer inspects its own process, reads its file of suppressions and writes to its log_path.
 */
static void allow_sanitizer(struct sandbox *s)
{
	static const char *const names[] = {
		"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS",
	};

	sandbox_allow(s, "/proc/self", LANDLOCK_READ);
	sandbox_allow(s, "/proc/self/exe", LANDLOCK_READ);
	for (size_t i = 0; i < LEN(names); i++) {
		allow_named(s, getenv(names[i]), "log_path=", LANDLOCK_READ | LANDLOCK_WRITE);
		allow_named(s, getenv(names[i]), "suppressions=", LANDLOCK_READ);
	}
}

static int allow(const struct landlock *l, const struct sandbox_path *v, size_t n, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = landlock_allow(l, v[i].path, v[i].what, e);
	return rc;
}

static int restrict_files(struct sandbox *s, struct err *e)
{
	const struct landlock_scope scope = { .writes_only = s->trusted, .network = s->network };
	struct landlock l;

	if (SANITIZED)
		allow_sanitizer(s);
	if (landlock_begin(&l, &scope, e))
		return -1;
	if (allow(&l, common, LEN(common), e) || allow(&l, s->v, s->n, e)) {
		close(l.fd);
		return -1;
	}
	return landlock_enforce(&l, e);
}

static int restrict_syscalls(const struct sandbox *s, struct err *e)
{
	const struct syscall_policy allowed = {
		.network = s->network, .programs = s->programs || s->trusted, .files = s->trusted,
	};

	return syscalls_limit(&allowed, e);
}

/*
 * If the process runs as root, it keeps only the capability to access other users' files, which
 * their repositories need; Landlock decides which files.
 */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2] = { 0 };

	if (syscall(SYS_capget, &head, caps))
		return;
	caps[0].permitted &= 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
	caps[0].effective &= caps[0].permitted;
	caps[0].inheritable = 0;
	memset(&caps[1], 0, sizeof caps[1]);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &head, caps))
		log_warn("sandbox.capset_failed", "message=%s",
		    log_quote("the process keeps its capabilities"));
}

static int apply_restrictions(struct sandbox *s, bool files, bool calls, struct err *e)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return err_set(e, ERR_INTERNAL, "no_new_privs cannot be set");
	if (!s->trusted)
		drop_capabilities();
	int rc = 0;
	if (files)
		rc = restrict_files(s, e);
	if (!rc && calls)
		rc = restrict_syscalls(s, e);
	if (rc)
		return err_add(e, "sandbox (disable it with --sandbox off, ATOLL_SANDBOX=off)");
	return 0;
}

#define LACKS	"the kernel has no %s, or a container does not let it be used"

static const char *missing(bool files, bool calls)
{
	if (!files && !calls)
		return "landlock and seccomp";
	if (!files)
		return "landlock";
	if (!calls)
		return "seccomp";
	return NULL;
}

int sandbox_enter(struct sandbox *s, struct err *e)
{
	bool off = !s->mode || !strcmp(s->mode, "off");
	bool files = landlock_version() > 0, calls = syscalls_supported();
	const char *lacks = missing(files, calls);
	int rc = 0;

	if (off)
		rc = 0;
	else if (lacks && !strcmp(s->mode, "require"))
		rc = err_set(e, ERR_INVALID_INPUT,
		    "--sandbox require: " LACKS "; --sandbox auto (ATOLL_SANDBOX) indexes "
		    "without it",
		    lacks);
	else
		rc = apply_restrictions(s, files, calls, e);
	free(s->v);
	s->v = NULL;
	return rc;
}

const char *sandbox_describe(const char *mode, struct arena *a)
{
	bool calls = syscalls_supported();
	int version = landlock_version();

	if (!strcmp(mode, "off"))
		return "";
	if (!version)
		return calls ? "seccomp, no network" : "";
	return arena_printf(a, "landlock (ABI %d)%s", version, calls ? ", seccomp, no network" : "");
}

const char *sandbox_lacks(const char *mode, struct arena *a)
{
	const char *lacks = missing(landlock_version() > 0, syscalls_supported());

	if (!strcmp(mode, "off"))
		return "--sandbox is off";
	if (lacks)
		return arena_printf(a, LACKS, lacks);
	return NULL;
}

int sandbox_check_mode(const char *mode, struct err *e)
{
	static const char *const modes[] = { "auto", "require", "off" };

	for (size_t i = 0; i < LEN(modes); i++)
		if (!strcmp(mode, modes[i]))
			return 0;
	return err_set(
	    e, ERR_INVALID_INPUT, "--sandbox: `%s` is unknown; use auto, require or off", mode);
}

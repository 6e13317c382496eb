#!/bin/sh
# layers.sh: who may include what.  Prints each violation; fails when there is one.
bad=0
# only WHAT FILES...: lines that match the pattern WHAT may stand in FILES alone
only() {
	what=$1; shift
	found=$(grep -rnE "$what" --include=*.c --include=*.h proto shard coordinator)
	for ok; do found=$(printf '%s\n' "$found" | grep -v "^$ok:"); done
	[ -z "$(printf '%s' "$found" | tr -d '\n')" ] || { printf 'layers: %s only in %s:\n%s\n' "$what" "$*" "$found"; bad=1; }
}
# never DIR WHAT: no file below DIR includes WHAT
never() {
	grep -rnE "#include \"$2" --include=*.c --include=*.h --include=*.def "$1" && { echo "layers: $1 includes $2"; bad=1; }
}
never proto '(shard|coordinator)/'
never shard 'coordinator/'
never coordinator 'shard/'
never proto/base 'proto/(msg|codec|json|wire|kinds)'
cli=$(grep -rnE '#include "coordinator/' coordinator/cli 2>/dev/null | grep -vE '"coordinator/(cli/|tools\.def)')
[ -z "$cli" ] || { echo "layers: coordinator/cli is a client, it includes only proto/ and tools.def:"; echo "$cli"; bad=1; }
only '(^|[^f])opendir\(' proto/base/folder.c
only '#include <git2' shard/repo_own.h
only '#include .tree_sitter/' shard/parse.c shard/tree.h
only '#include "(subtree|language)\.h' shard/nodes.c
only '#include <sqlite3' proto/base/db_own.h
only '#include <nng/' proto/wire.c proto/wire_reply.c proto/wire_server.c proto/wire_start.c proto/wire_tls.c proto/wire_own.h
only '#include <msgpack' proto/codec.c
only '#include <curl/' proto/base/fetch.c
only '#include <libdeflate' proto/base/pack.c
only '#include <openssl/' proto/base/crypto.c proto/base/certs.c proto/base/tls.c
only '#include <jansson' proto/json.c
only '#include <microhttpd' coordinator/http_own.h
only '#include <yaml' proto/base/yaml_start.h
only '#include <expat' shard/items_xml.c
only 'define PCRE2_|#include <pcre2' shard/query.c coordinator/topic_pattern.c
only '#include <seccomp' shard/syscalls.c
only '#include <linux/landlock' shard/landlock.c
only '\.pb-c\.h|protobuf-c' shard/scip.c shard/scip.h
exit $bad

#!/bin/bash
# Atoll's files are private, whatever their modes were before; a data folder of another user is refused.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
umask 022
open_ones() { find "$W/data" -path '*/mirror.git/*' -prune -o ! -type l -perm /077 -print; }

# ---- an older installation with open modes, and a umask that opens new files ----
umask 000
up "$W/shop/web" "file://$W/shop/users"
ready default 2
same "open in a new installation" "$(open_ones)" ""
[ -f "$W/data/registry.db" ] && [ -n "$(ls -d "$W"/data/repo_*/mirror.git)" ] || fail "other files than expected: $(ls "$W/data")"
stop up
chmod -R go=rX "$W/data"
chmod 0666 "$W/data/registry.db" "$W/data/cluster.key"
touch "$W/data/registry.db-wal" "$W/data/registry.db-shm"
chmod 0644 "$W/data/registry.db-wal" "$W/data/registry.db-shm"
up
ready default 2
same "open after a start" "$(open_ones)" ""
grep -q 'data_dir.restricted path=[^ ]*/registry.db was=0666' "$W/data/logs/coordinator.log" || fail "the log does not say so: $(cat "$W/data/logs/coordinator.log")"
stop up
umask 022
ok "registry, indexes, mirrors, keys and logs are private, also those that were open"

refused() {	# refused TEXT CMD...
	local text=$1
	shift
	if timeout 20 "$@" >"$W/out" 2>&1 </dev/null; then fail "it started: $*"; fi
	grep -q "$text" "$W/out" || fail "the message lacks '$text': $(cat "$W/out")"
}
everywhere() {	# everywhere TEXT FOLDER: each program refuses it
	refused "$1" atoll up --data "$2" --http 127.0.0.1:0 "$W/shop/web"
	refused "$1" atoll-coordinator --data "$2" --http 127.0.0.1:0 --listen "ipc://$W/m.sock"
	refused "$1" atoll-shard --repo "$W/shop/web" --data "$2" --once
}

# ---- a link into a folder that everybody can write to ----
mkdir -m 1777 "$W/everybody"
mkdir -m 0700 "$W/everybody/data"
ln -s everybody/data "$W/link"
everywhere "is a link into a folder that anybody may write to" "$W/link"
ln -s everybody/nothing "$W/dangling"
everywhere "is a link into a folder" "$W/dangling"
[ -z "$(ls -A "$W/everybody/data")" ] && [ ! -e "$W/everybody/nothing" ] || fail "something was written there"
mkdir "$W/mine"
ln -s mine "$W/good"
atoll-shard --repo "$W/shop/web" --data "$W/good" --once >/dev/null 2>&1 || fail "a link into a private folder is refused"
ok "a link that others could replace is refused"

# ---- a folder of another user ----
[ "$(id -u)" -eq 0 ] || { ok "only root can test folders of other users"; exit; }
mkdir "$W/theirs"
chown 4242 "$W/theirs"
everywhere "belongs to another user (4242).*" "$W/theirs"
grep -q 'chown -R 0 ' "$W/out" || fail "the remedy is missing: $(cat "$W/out")"
[ -z "$(ls -A "$W/theirs")" ] || fail "something was written there"
ok "a folder of another user is refused, with the remedy"

# ---- a volume of root that a group can write to: it starts, makes its own files private, and reports what stays open ----
# Another user who can enter the folder of this test.
as_another=(setpriv --reuid 4242 --regid 4242 --clear-groups --inh-caps +dac_read_search --ambient-caps +dac_read_search
	env HOME="$W/volume")
"${as_another[@]}" "$BIN/atoll-coordinator" --version >/dev/null 2>&1 || { ok "another user cannot run the programs here"; exit; }
mkdir -m 2775 "$W/volume"
chgrp 4242 "$W/volume"
"${as_another[@]}" "$BIN/atoll-coordinator" --data "$W/volume" --http 127.0.0.1:0 --listen "ipc://$W/volume/m.sock" \
	--ready-file "$W/volume/url" >"$W/volume.log" 2>&1 &
echo $! >"$W/volume.pid"
wait_for 20 test -s "$W/volume/url"
stop volume
grep -q 'data_dir.unrestricted path=[^ ]*/volume mode=2775 owner=0 .*hint=' "$W/volume.log" || fail "the log does not say so: $(cat "$W/volume.log")"
same "the registry in there" "$(stat -c %a "$W/volume/registry.db")" 600
ok "a volume that root owns is used, and the log says that it is accessible to others"

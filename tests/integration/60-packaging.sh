#!/bin/bash
# The installed files: the Debian package, its man pages and completion, and the systemd units, whose environment runs the programs.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "the files are the same in every variant" ;; esac
command -v dpkg-deb >/dev/null || skip "no dpkg-deb here"

DPKG_DEB_COMPRESSOR_TYPE=none "$ROOT/deploy/deb.sh" "$BIN" "$W/out" >/dev/null || fail "deb.sh"
deb=$(echo "$W"/out/atoll_*.deb)
dpkg-deb -c "$deb" | awk '{ print $1, $2, $6 }' >"$W/list"
while read -r mode path; do
	grep -q "^$mode root/root \./$path\$" "$W/list" || fail "the package has no $path of mode $mode: $(grep "$path" "$W/list")"
done <<-'END'
	-rwxr-xr-x usr/bin/atoll
	-rwxr-xr-x usr/bin/atoll-shard
	-rwxr-xr-x usr/bin/atoll-coordinator
	-rw-r--r-- usr/lib/systemd/system/atoll-coordinator.service
	-rw-r--r-- usr/lib/systemd/system/atoll-shard@.service
	-rw-r--r-- usr/share/man/man1/atoll.1.gz
	-rw-r--r-- usr/share/man/man8/atoll-shard.8.gz
	-rw-r--r-- usr/share/man/man8/atoll-coordinator.8.gz
	-rw-r--r-- usr/share/bash-completion/completions/atoll
	-rw-r--r-- usr/share/doc/atoll/copyright
	-rw-r--r-- usr/share/doc/atoll/README.md
	-rw-r----- etc/atoll/coordinator.conf
	drwxr-x--- etc/atoll/shard/
END
dpkg-deb -f "$deb" Depends | grep -q 'libgit2.*libnng1' || fail "Depends: $(dpkg-deb -f "$deb" Depends)"
ok "the package contains programs, units, man pages and completion"

R=$W/root
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$R/var/lib/dpkg/updates" "$R/var/lib/dpkg/info" "$R/etc"
	: >"$R/var/lib/dpkg/status"
	: >"$R/etc/passwd"
	: >"$R/etc/group"
	: >"$R/etc/shadow"
	: >"$R/etc/gshadow"
	packages() { dpkg --root="$R" --log=/dev/null --force-depends --force-script-chrootless "$@" >"$W/dpkg.log" 2>&1 ||
		fail "dpkg $1: $(cat "$W/dpkg.log")"; }
	packages -i "$deb"
	grep -q '^atoll:.*:/var/lib/atoll:/usr/sbin/nologin$' "$R/etc/passwd" || fail "no user: $(cat "$R/etc/passwd")"
	packages -i "$deb"	# an upgrade
	same "users after an upgrade" "$(grep -c '^atoll:' "$R/etc/passwd")" 1
	wants=$R/etc/systemd/system/multi-user.target.wants
	mkdir -p "$wants"
	ln -s /lib/systemd/system/atoll-shard@.service "$wants/atoll-shard@web.service"	# systemctl enable
	packages -r atoll
	[ -L "$wants/atoll-shard@web.service" ] || fail "a removed package is not enabled when it is installed again"
	[ ! -e "$R/usr/bin/atoll" ] && [ -f "$R/etc/atoll/coordinator.conf" ] || fail "after removal: $(find "$R/usr" "$R/etc")"
	packages -P atoll
	[ -z "$(ls "$wants")" ] || fail "units are enabled after purge: $(ls "$wants")"
	[ ! -e "$R/etc/atoll" ] && [ ! -e "$R/usr/lib/systemd" ] || fail "after purge: $(find "$R/usr" "$R/etc")"
	packages -i "$deb"
	ok "it is installed into an empty root, upgraded, removed and purged"
else
	dpkg-deb -x "$deb" "$R"
fi
same "the installed program" "$("$R/usr/bin/atoll" --version)" "$("$BIN/atoll" --version)"

# Man pages and completion agree with --help.
for p in atoll-shard.8 atoll-coordinator.8; do
	zcat "$R/usr/share/man/man8/$p.gz" | sed -n 's/^\\fB\(\\-\\-[^ ]*\).*\\fR$/\1/p' | tr -d '\\' | sed 's/fR$//' >"$W/got"
	"$BIN/${p%.8}" --help | grep -o '^  --[a-z0-9-]*' | tr -d ' ' | diff - "$W/got" >"$W/diff" || fail "$p: $(cat "$W/diff")"
done
for m in "$R"/usr/share/man/man?/*.gz; do
	! command -v man >/dev/null || same "warnings of man about $m" "$(LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -l "$m" 2>&1 >"$W/page")" ""
done
zcat "$R/usr/share/man/man1/atoll.1.gz" | grep -q '^\\fBatoll group create\\fR NAME \[REPO\]\.\.\.$' ||
	fail "atoll(1) lists no group create"
. "$R/usr/share/bash-completion/completions/atoll"
complete_line() {	# complete_line WORD...: what is offered for the last one
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_atoll
	echo "${COMPREPLY[*]}"
}
same "completion of a word" "$(complete_line atoll gro)" group
same "of a second word" "$(complete_line atoll group cr)" create
same "of a tool" "$(complete_line atoll call open)" open_file
same "of a command to help with" "$(complete_line atoll help gro)" group
same "of an option" "$(complete_line atoll group query shop --cu)" --cursor
ok "man pages and completion agree with --help"

# Units, checked by systemd if it is installed; with another prefix the programs are where they were installed.
"$ROOT/deploy/install.sh" "$BIN" "" "$W/inst"
units=$W/inst/lib/systemd/system
ln -s atoll-shard@.service "$units/atoll-shard@web.service"
for u in atoll-coordinator.service atoll-shard@.service; do
	! grep -E '^(ExecStart|Environment)=.*(TOKEN|SECRET|KEY)=' "$units/$u" || fail "a secret in $u"
	for c in landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp; do	# no group of systemd has them
		grep -qE "^SystemCallFilter=.* $c( |\$)" "$units/$u" || fail "$u: its children cannot drop privileges: $c"
	done
	mkdir "$units/$u.d"
	cp "$W/inst/share/doc/atoll/examples/several-hosts.conf" "$units/$u.d/"
done
cp "$W/inst/share/doc/atoll/examples/https.conf" "$units/atoll-coordinator.service.d/"
cp "$W/inst/share/doc/atoll/examples/git-tokens.conf" "$units/atoll-shard@.service.d/"
if command -v systemd-analyze >/dev/null; then
	for u in atoll-coordinator atoll-shard@web; do
		got=$(systemd-analyze verify --man=no "$units/$u.service" 2>&1) || fail "systemd-analyze verify $u: $got"
		same "what systemd-analyze says of $u" "$(echo "$got" | grep atoll || true)" ""
		systemd-analyze security --offline=yes --threshold=25 "$units/$u.service" >"$W/security" 2>&1 ||
			fail "exposure of $u: $(tail -3 "$W/security")"
	done
	ok "systemd-analyze verifies the units and their drop-ins; exposure below 2.5"
else
	echo "no systemd-analyze here: units were not verified"
fi

# The environment of the units, with the test's folders in place of systemd's.
environment() {	# environment UNIT INSTANCE
	sed -n 's/^Environment=//p' "$R/usr/lib/systemd/system/$1" | tr ' ' '\n' | sed -e "s|%S|$W/S|" -e "s|%t|$W/t|" -e "s|%i|${2:-}|"
}
mkdir -p "$W/S" "$W/t/atoll"
chmod 700 "$W/t/atoll"
git init -q "$W/web"
echo 'def cancel_order(): pass' >"$W/web/orders.py"
git -C "$W/web" add .
git -C "$W/web" -c user.name=a -c user.email=a@example.com commit -qm one
port=$(free_port)
grep -qx Type=notify "$units/atoll-coordinator.service" && grep -qx Type=notify "$units/atoll-shard@.service" ||
	fail "the units wait for READY=1"
for d in coordinator shard; do		# what systemd would hear of each
	start "hear-$d" python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    print(s.recv(4096).decode(), flush=True)' "$W/$d.notify"
	wait_for 5 test -S "$W/$d.notify"
done
mapfile -t env < <(environment atoll-coordinator.service)
start coordinator env "${env[@]}" NOTIFY_SOCKET="$W/coordinator.notify" WATCHDOG_USEC=600000 "ATOLL_HTTP=127.0.0.1:$port" "$R/usr/bin/atoll-coordinator"
mapfile -t env < <(environment atoll-shard@.service web)
start shard env "${env[@]}" NOTIFY_SOCKET="$W/shard.notify" WATCHDOG_USEC=600000 "ATOLL_REPO=$W/web" "$R/usr/bin/atoll-shard"
export ATOLL_URL=http://127.0.0.1:$port
found() { "$R/usr/bin/atoll" call query '{"repo":"web","query":"cancel order"}' 2>/dev/null | grep -q '"path":"orders.py"'; }
wait_for 20 found
[ -d "$W/S/atoll/coordinator" ] && [ -d "$W/S/atoll/shard-web" ] || fail "the data is elsewhere: $(ls -R "$W/S")"
ok "the installed programs find code with the units' environment"

beats() { grep -cx WATCHDOG=1 "$W/hear-$1.log"; }
beaten() { [ "$(beats "$1")" -gt "$2" ]; }
for d in coordinator shard; do
	wait_for 10 beaten $d 3
	same "first words of $d" "$(head -1 "$W/hear-$d.log")" READY=1
done
wait_for 10 grep -qx 'STATUS=1 repositories: 1 healthy, 0 degraded, 0 down' "$W/hear-coordinator.log"
wait_for 10 grep -qx 'STATUS=web.*: ready, generation 1' "$W/hear-shard.log"
rm "$W"/t/atoll/atoll/*.ipc	# the program runs, but who asks for it finds nothing
wait_for 10 grep -q 'watchdog.ping_skipped' "$W/shard.log"
still() {	# no beat while the coordinator has six, once those are written down that were before
	n=$(beats shard) others=$(beats coordinator)
	until beaten coordinator $((others + 6)); do sleep 0.1; done
	[ "$(beats shard)" = "$n" ]
}
wait_for 20 still
for d in coordinator shard; do
	stop $d
	wait_for 5 grep -qx STOPPING=1 "$W/hear-$d.log"
done
ok "systemd is notified of start, state and stop, and gets no watchdog signal from a hung program"

#!/bin/bash
# installed.sh (make check-packaging): the Debian package in a private Debian, made by debootstrap and booted by systemd-nspawn.
# Runs the commands of deploy/README.md for one machine, for HTTPS and for TLS between hosts; crashes units, upgrades, removes and
# purges.  Needs root and a Debian mirror: MIRROR=URL, or the one of this machine's apt.  The system without the package is kept
# in build/debian.tar (250 MB), so a second run takes a minute, or four on a busy machine.
. "$(dirname "$0")/lib.sh"
for need in debootstrap systemd-nspawn nsenter dpkg-deb; do
	command -v $need >/dev/null || skip "no $need here (apt install debootstrap systemd-container)"
done
[ "$(id -u)" = 0 ] || skip "not root"
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)}
[ -n "$mirror" ] || skip "apt of this machine has no mirror of bookworm: MIRROR=URL"
R=$W/debian kept=$(dirname "$B")/debian.tar

booted=
leave() {	# what is booted is switched off first
	_was=$?
	set +e
	[ -z "$booted" ] || kill -s RTMIN+4 "$booted"
	for _ in $(seq 150); do
		[ -n "$booted" ] && ! gone "$(pid_of nspawn)" || break
		sleep 0.1
	done
	(exit $_was)
	_end
}
trap leave EXIT

if [ ! -s "$kept" ]; then
	debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,curl,jq,procps bookworm "$R" "$mirror" >"$W/debootstrap.log" 2>&1 ||
		skip "no Debian could be made from $mirror: $(tail -1 "$W/debootstrap.log")"
	tar -C "$R" -cf "$kept.new" . && mv "$kept.new" "$kept"
else
	mkdir "$R"
	tar -C "$R" -xpf "$kept"
fi
contained() { systemd-nspawn -q --register=no --keep-unit -D "$R" "$@" </dev/null; }
contained true >"$W/nspawn.log" 2>&1 || skip "no containers here: $(head -1 "$W/nspawn.log")"
"$ROOT/deploy/deb.sh" "$BIN" "$R/root" >/dev/null
deb=$(basename "$R"/root/atoll_*.deb)
dpkg-deb -R "$R/root/$deb" "$W/later"
sed -i 's/^Version: .*/&+later/' "$W/later/DEBIAN/control"
dpkg-deb --root-owner-group --build "$W/later" "$R/root/later.deb" >/dev/null
"$ROOT/tests/fixtures/make.sh" "$R/srv/git" >/dev/null
cp -R "$ROOT/tests/fixtures" "$R/root/fixtures"

# ---- without a systemd that runs: apt brings what it depends on ----
contained sh -c "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /root/$deb" >"$W/apt.log" 2>&1 ||
	fail "apt install: $(tail -20 "$W/apt.log")"
ok "apt installs it with what it depends on"

start nspawn systemd-nspawn -q --register=no --keep-unit --private-network --boot -D "$R"
runs() { booted=$(pgrep -P "$(pid_of nspawn)") && nsenter -t "$booted" -a systemctl is-system-running 2>/dev/null |
	grep -qE 'running|degraded'; }
wait_for 60 runs
within() { nsenter -t "$booted" -a env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
script() { within bash -e -o pipefail -c "$1" >"$W/out" 2>&1 || fail "$1: $(cat "$W/out"; within journalctl -q -n 30 -u 'atoll-*')"; }
is() { [ "$(within bash -c "$1" 2>/dev/null)" = "$2" ]; }

# ---- one machine ----
script 'for name in web users catalog orders; do echo ATOLL_REPO=/srv/git/$name >/etc/atoll/shard/$name.conf; done
chown -R atoll /srv/git
systemctl enable --now atoll-coordinator atoll-shard@{web,users,catalog,orders}'
whole() { is "$ask group query shop reserve stock of a product --json | jq -c '[.complete, .coverage.answered]'" '[true,4]'; }
ask=atoll
named() { is 'atoll status >/dev/null && atoll call list_repos | jq "[.repos[] | select(.status == \"ready\" and .health == \"healthy\")] | length"' 4; }
wait_for 60 named
script 'atoll group create shop $(atoll call list_repos | jq -r ".repos[].repo_uri")'
wait_for 20 whole
contracts() { is "atoll call group_contracts '{\"group\":\"shop\",\"path\":\"/orders/by-user/{}\"}' | jq '[.contracts[] | select(.cross_repo)] | length'" 2; }
wait_for 30 contracts
same "who runs them" "$(within ps -C atoll-shard,atoll-coordinator -o user= | sort | uniq -c | tr -s ' ')" " 5 atoll"
same "modes of data" "$(within stat -c %a /var/lib/atoll/coordinator /var/lib/atoll/shard-web | tr '\n' ' ')" "700 700 "
says() { within systemctl status atoll-shard@web | grep -q 'Status: ".*web: ready, generation 1'; }
wait_for 60 says
ok "the units run the demo's repositories, as a user of their own: a question to all four, who calls whom"

# ---- one is killed, one hangs, one is stopped ----
main_pid() { within systemctl show -P MainPID "$1"; }
was=$(main_pid atoll-shard@users)
within kill -KILL "$was"
again() { [ "$(main_pid atoll-shard@users)" -gt 0 ] && [ "$(main_pid atoll-shard@users)" != "$was" ]; }
wait_for 20 again
wait_for 20 whole
was=$(main_pid atoll-coordinator)
within kill -KILL "$was"
wait_for 20 whole
within systemctl stop atoll-shard@orders
missing() { is "atoll group query shop reserve stock --json | jq -c '[.complete, .coverage.failed[0].repo_uri]'" '[false,"github.com/atoll-shop/orders"]'; }
wait_for 20 missing
within systemctl start atoll-shard@orders
wait_for 20 whole
ok "who is killed is started again; who is stopped is named"

# ---- clients of other machines, mutual TLS: the drop-ins ----
script 'cd /root && atoll certs init certs && atoll certs issue certs a.example.com,127.0.0.1
install -d -m 700 /etc/atoll/tls /etc/atoll/http
install -m 600 certs/ca.pem certs/cluster-key /etc/atoll/tls && install -m 600 certs/a.example.com.pem /etc/atoll/tls/cert.pem && install -m 600 certs/a.example.com.key /etc/atoll/tls/key.pem
cp certs/a.example.com.pem /etc/atoll/http/cert.pem && cp certs/a.example.com.key /etc/atoll/http/key.pem && install -m 600 certs/bootstrap-token /etc/atoll/http
for unit in atoll-coordinator.service atoll-shard@.service; do
	install -Dm 644 /usr/share/doc/atoll/examples/several-hosts.conf -t /etc/systemd/system/$unit.d/
done
install -Dm 644 /usr/share/doc/atoll/examples/https.conf -t /etc/systemd/system/atoll-coordinator.service.d/
echo ATOLL_LISTEN=ipc:///run/atoll/coordinator.ipc,tls+tcp://127.0.0.1:7701 >>/etc/atoll/coordinator.conf
printf "ATOLL_LISTEN=tls+tcp://127.0.0.1:7710\nATOLL_COORDINATOR=tls+tcp://127.0.0.1:7701\n" >>/etc/atoll/shard/users.conf
systemctl daemon-reload
systemctl restart atoll-coordinator "atoll-shard@*"'
ask='env ATOLL_URL=https://127.0.0.1:7700 ATOLL_CA=/root/certs/ca.pem ATOLL_TOKEN=$(cat /root/certs/bootstrap-token) atoll'
wait_for 30 whole
same "without a token" "$(within curl -s --cacert /root/certs/ca.pem -o /dev/null -w '%{http_code}' https://127.0.0.1:7700/api/v1/tools)" 401
within atoll-shard --probe tls+tcp://127.0.0.1:7710 --tls-ca /etc/atoll/tls/ca.pem --tls-cert /etc/atoll/tls/cert.pem \
	--tls-key /etc/atoll/tls/key.pem \
	--cluster-key-file /etc/atoll/tls/cluster-key >"$W/out" 2>&1 || fail "--probe over TLS: $(cat "$W/out")"
ok "HTTPS with a token, and a shard over mutual TLS, by the drop-ins"

# ---- an upgrade, removal, purge ----
generation() { within bash -c "$ask call list_repos" | jq -r '[.repos[] | .freshness.generation] | join(" ")'; }
before=$(generation)
script 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /root/later.deb </dev/null
grep -q ATOLL_LISTEN /etc/atoll/coordinator.conf
systemctl restart atoll-coordinator "atoll-shard@*"'
wait_for 30 whole
same "indexes after an upgrade" "$(generation)" "$before"
same "its version" "$(within dpkg-query -W -f '${Version}' atoll | grep -c '+later$')" 1
ok "an upgrade keeps settings, registry and indexes"
script 'DEBIAN_FRONTEND=noninteractive apt-get remove -y atoll'
if within pgrep -l atoll >"$W/out"; then fail "after removal there runs $(cat "$W/out")"; fi
[ ! -e "$R/usr/bin/atoll" ] && [ -f "$R/etc/atoll/coordinator.conf" ] && [ -d "$R/var/lib/atoll/shard-web" ] ||
	fail "after removal: $(find "$R/etc/atoll" "$R/var/lib/atoll" -maxdepth 1)"
script 'apt-get purge -y atoll'
[ ! -e "$R/etc/atoll/coordinator.conf" ] && [ -z "$(find "$R/usr" "$R/etc/systemd" -name 'atoll*' ! -path '*.d*' ! -path '*.d/*')" ] ||
	fail "after purge: $(find "$R/usr" "$R/etc/systemd" -name 'atoll*')"
[ -d "$R/var/lib/atoll/shard-web" ] && [ -f "$R/etc/atoll/shard/web.conf" ] || fail "what is not the package's is gone"
same "failed units" "$(within systemctl list-units --state=failed --no-legend 'atoll*')" ""
ok "removed nothing of it runs, purged nothing of it is left but what was made by hand and what it kept"
